package io.karmi.benchmarks.peers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Two mapped longs, at which the two sides spin: each counts the messages of one direction. The
 * bytes of a message lie behind them.
 *
 * <pre>
 * 0    messages from the client     128            bytes from the client
 * 64   messages from the server     128 + ROOM     bytes from the server
 * </pre>
 */
final class MemoryLink implements Link {
  private static final int ROOM = 1 << 20;
  private static final int COUNTER_DISTANCE = 64;
  private static final int BYTES = 2 * COUNTER_DISTANCE;
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final Socket control;
  private final Waiting waiting;
  private final ByteBuffer memory;
  private final int mine;
  private long sent;
  private long received;

  private MemoryLink(Socket control, MappedByteBuffer memory, boolean asServer) {
    this.control = control;
    this.waiting = new Waiting(control);
    this.memory = memory;
    this.mine = asServer ? 1 : 0;
  }

  static Link serve(Socket control) throws IOException {
    Path folder = Path.of("/dev/shm");
    Path file =
        Files.isWritable(folder)
            ? Files.createTempFile(folder, "karmi-bench", ".link")
            : Files.createTempFile("karmi-bench", ".link");
    try {
      MappedByteBuffer memory = map(file);
      new DataOutputStream(control.getOutputStream()).writeUTF(file.toString());
      /* The client has mapped it, too. */
      control.getInputStream().read();
      return new MemoryLink(control, memory, true);
    } finally {
      Files.delete(file);
    }
  }

  static Link connect(Socket control) throws IOException {
    Path file = Path.of(new DataInputStream(control.getInputStream()).readUTF());
    MappedByteBuffer memory = map(file);
    control.getOutputStream().write(1);
    return new MemoryLink(control, memory, false);
  }

  private static MappedByteBuffer map(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES + 2L * ROOM);
    }
  }

  @Override
  public void send(byte[] message) {
    memory.put(BYTES + mine * ROOM, message);
    LONG.setRelease(memory, mine * COUNTER_DISTANCE, ++sent);
  }

  @Override
  public void receive(byte[] message) throws IOException {
    int theirs = 1 - mine;
    waiting.reset();
    while ((long) LONG.getAcquire(memory, theirs * COUNTER_DISTANCE) == received) {
      waiting.idle();
    }
    received++;
    memory.get(BYTES + theirs * ROOM, message);
  }

  @Override
  public void begin() throws IOException {
    Waiting.wake(control);
  }

  @Override
  public void close() throws IOException {
    control.close();
  }
}
