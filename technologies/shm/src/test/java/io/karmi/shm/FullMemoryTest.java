package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeNoException;
import static org.junit.Assume.assumeTrue;

import io.karmi.contract.SocketFolder;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.LocalDoor;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.shm.MemoryDoor.MemoryChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;

/**
 * A file system of shared memory that is full, in a namespace of mounts of its own; where such may
 * be made.
 */
public class FullMemoryTest {
  /** Has room for seven connections. */
  private static final String SCARCE = "mount -t tmpfs -o size=2m tmpfs /dev/shm && exec \"$@\"";

  private static final List<String> OWN_MEMORY =
      List.of("unshare", "--map-root-user", "--mount", "sh", "-c", SCARCE, "sh");

  private static final long ADD = Methods.hash("add(II)I");
  private static final byte[] TWO_NUMBERS = new WireBytes().int32(20).int32(22).toArray();

  @Rule public final SocketFolder folder = new SocketFolder();

  @Test
  public void fullMemoryEndsItsConnectionsAndNotTheNode() throws Exception {
    assumeOwnMemory();
    String directory = folder.path().toString();
    try (Jvm scene = Jvm.startBy(OWN_MEMORY, Main.class.getName(), directory)) {
      List<String> lines = scene.everything();
      assertThat(lines).last().as("%s", lines).isEqualTo("all served");
    }
  }

  private static void assumeOwnMemory() throws InterruptedException {
    List<String> command = new ArrayList<>(OWN_MEMORY);
    command.add("true");
    try {
      Process tried = new ProcessBuilder(command).redirectErrorStream(true).start();
      boolean ended = tried.waitFor(60, TimeUnit.SECONDS);
      tried.destroyForcibly();
      assumeTrue("may mount a file system", ended && tried.exitValue() == 0);
    } catch (IOException e) {
      assumeNoException("no unshare", e);
    }
  }

  /** The node's other end, which sees the same file system. */
  static final class Main {
    private final MemoryDoor memory;
    private final Door socket;
    private final long object;
    private final Path filler = Path.of("/dev/shm/filler");

    private Main(MemoryDoor memory, Door socket, long object) {
      this.memory = memory;
      this.socket = socket;
      this.object = object;
    }

    public static void main(String[] arguments) throws Exception {
      Path directory = Path.of(arguments[0]);
      try (Jvm node =
          Jvm.start(
              "-Xmx64m",
              "-Dkarmi.technologies=shm,uds,tcp",
              "-Dkarmi.uds.directory=" + directory,
              Besieged.class.getName())) {
        long object = Long.parseLong(node.awaitLine("object "));
        Path shared = directory.resolve(node.awaitLine("way shm "));
        Path plain = directory.resolve(node.awaitLine("way uds "));
        new Main(new MemoryDoor(shared), new LocalDoor(plain), object).play();
        node.ask("state", "state ");
      }
      System.out.println("all served");
    }

    private void play() throws Exception {
      serve(memory);
      connectionsThatAreThereMeetHolesWithoutRoom();
      fill();
      assertThatThrownBy(() -> serve(memory)).isInstanceOf(IOException.class);
      serve(socket);
      Files.delete(filler);
      Deadline.await("memory is used again", this::isServedByMemory);
    }

    private void serve(Door door) throws IOException {
      try (RawPeer peer = RawPeer.introduced(door, 1, 2)) {
        assertThat(peer.call(object, ADD, TWO_NUMBERS)).contains(42);
      }
    }

    private boolean isServedByMemory() {
      try {
        serve(memory);
        return true;
      } catch (IOException e) {
        return false;
      }
    }

    /** The node's threads sleep meanwhile, and meet the holes when they are woken. */
    private void connectionsThatAreThereMeetHolesWithoutRoom() throws Exception {
      List<MemoryChannel> channels = new ArrayList<>();
      Door opening =
          () -> {
            MemoryChannel channel = memory.open();
            channels.add(channel);
            return channel;
          };
      List<RawPeer> peers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        RawPeer peer = RawPeer.introduced(opening, 1, i);
        assertThat(peer.call(object, ADD, TWO_NUMBERS)).contains(42);
        peers.add(peer);
      }
      for (MemoryChannel channel : channels) {
        long size = channel.file().size();
        channel.file().truncate(0);
        fill();
        lengthen(channel.file(), size);
        channel.ring();
        channel.awaitClosedByNode();
      }
      for (RawPeer peer : peers) {
        peer.close();
      }
    }

    /** Without room for a byte a file grows by mapping more than there is. */
    private static void lengthen(FileChannel file, long size) throws IOException {
      file.map(FileChannel.MapMode.READ_WRITE, 0, size);
    }

    private void fill() throws IOException {
      try (FileChannel file =
          FileChannel.open(filler, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        file.position(file.size());
        ByteBuffer page = ByteBuffer.allocate(4096);
        while (true) {
          file.write(page.clear());
        }
      } catch (IOException e) {
        return; // full
      }
    }
  }
}
