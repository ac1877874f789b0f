package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.ProcessFolders;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * UCX by its binding for Java: a message is one active message, the kind of request that KaRMI
 * uses. Both sides spin as {@link Waiting} does.
 *
 * <p>UCX decides how a long message travels: in packets, or fetched from the sender's memory. There
 * is one message at a time in each direction.
 */
final class UcxLink implements Link {
  private static final int MESSAGE = 1;
  private static final int DONE = 0;

  /** A look, which does UCX's work, takes some 70 ns. */
  private static final int LOOKS_PER_CLOCK = 32;

  /** The JVM's context; made for its first link. */
  private static final class Context {
    static final UcpContext ONLY = make();

    private Context() {}

    private static UcpContext make() {
      UcpContext context = new UcpContext(new UcpParams().requestAmFeature());
      deleteLibrary();
      return context;
    }

    /**
     * Once loaded, jucx's copy of its library is not needed; a JVM that is killed would leave it.
     */
    private static void deleteLibrary() {
      try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
        Set<Path> folders =
            mapped
                .filter(line -> line.matches(".*/jucx[^/]*/libjucx\\.so"))
                .map(line -> Path.of(line.substring(line.indexOf('/'), line.lastIndexOf('/'))))
                .collect(Collectors.toSet());
        for (Path folder : folders) {
          ProcessFolders.delete(folder);
        }
      } catch (IOException e) {
        System.err.println("the copy of jucx's library stays until the end: " + e);
      }
    }
  }

  private final Socket control;
  private final Waiting waiting;
  private final UcpWorker worker;
  private final UcpEndpoint peer;
  private ByteBuffer out = ByteBuffer.allocateDirect(8192);
  private ByteBuffer in = ByteBuffer.allocateDirect(8192);
  private @Nullable UcpRequest sending;
  private @Nullable UcpRequest fetching;
  private boolean arrived;

  /** Makes one end; both do the same. */
  UcxLink(Socket control) throws IOException {
    this.control = control;
    waiting = new Waiting(control, LOOKS_PER_CLOCK);
    worker = Context.ONLY.newWorker(new UcpWorkerParams());
    worker.setAmRecvHandler(
        MESSAGE,
        (header, headerLength, data, from) -> take(data),
        UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
    tell(worker.getAddress());
    peer = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(hear()));
  }

  private void tell(ByteBuffer address) throws IOException {
    byte[] bytes = new byte[address.remaining()];
    address.get(bytes);
    DataOutputStream to = new DataOutputStream(control.getOutputStream());
    to.writeInt(bytes.length);
    to.write(bytes);
    to.flush();
  }

  private ByteBuffer hear() throws IOException {
    DataInputStream from = new DataInputStream(control.getInputStream());
    byte[] bytes = new byte[from.readInt()];
    from.readFully(bytes);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  private int take(UcpAmData data) {
    int length = (int) data.getLength();
    in = room(in, length);
    if (data.isDataValid()) {
      in.put(0, UcxUtils.getByteBufferView(data.getDataAddress(), length), 0, length);
    } else {
      fetching = data.receive(UcxUtils.getAddress(in), null);
    }
    arrived = true;
    return DONE;
  }

  @Override
  public void send(byte[] message) throws IOException {
    await(sending);
    out = room(out, message.length);
    out.put(0, message);
    sending =
        peer.sendAmNonBlocking(MESSAGE, 0, 0, UcxUtils.getAddress(out), message.length, 0, null);
  }

  @Override
  public void receive(byte[] message) throws IOException {
    waiting.reset();
    while (!arrived) {
      progress();
    }
    await(fetching);
    arrived = false;
    fetching = null;
    in.get(0, message);
  }

  private void await(@Nullable UcpRequest request) throws IOException {
    if (request == null) {
      return;
    }
    waiting.reset();
    while (!request.isCompleted()) {
      progress();
    }
    if (request.getStatus() != 0) {
      throw new IOException("UCX does not carry a message: status " + request.getStatus());
    }
  }

  private void progress() throws IOException {
    try {
      if (worker.progress() == 0) {
        waiting.idle();
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("UCX has failed", e);
    }
  }

  private static ByteBuffer room(ByteBuffer memory, int length) {
    return memory.capacity() < length ? ByteBuffer.allocateDirect(length) : memory;
  }

  @Override
  public void begin() throws IOException {
    Waiting.wake(control);
  }

  @Override
  public void close() throws IOException {
    try {
      worker.close();
    } catch (UcxException e) {
      throw new IOException("UCX does not end a worker", e);
    } finally {
      control.close();
    }
  }
}
