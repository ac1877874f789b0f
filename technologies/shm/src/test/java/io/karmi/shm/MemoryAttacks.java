package io.karmi.shm;

import io.karmi.contract.hostile.Attack;
import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.Forged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.Target;
import io.karmi.shm.MemoryDoor.MemoryChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attacks on the memory itself, while a node reads from it and writes to it. */
final class MemoryAttacks {
  private static final long ECHO = Methods.hash("echo(Ljava/lang/Object;)Ljava/lang/Object;");
  private static final long BYTES = Methods.hash("bytes(I)[B");

  /** Feature of an introduction (3.2). */
  private static final int LONG_RINGS = 32;

  private static final int PAGE = 4096;
  private static final int WORD_BYTES = 128;
  private static final int WORDS = 4;

  private final Door door;

  private MemoryAttacks(MemoryDoor door) {
    this.door = door;
  }

  /** All there are. */
  static List<Attack> at(MemoryDoor door) {
    MemoryAttacks at = new MemoryAttacks(door);
    return List.of(
        new Attack("memory that is cut off in use", target -> at.harm(target, at::cutOff)),
        new Attack("memory of which holes are made", target -> at.harm(target, at::makeHoles)),
        new Attack("memory that is overwritten", target -> at.harm(target, at::overwrite)),
        new Attack("positions that go to and fro", target -> at.harm(target, at::moveOn)));
  }

  /** What is done to the memory of a connection. */
  private interface Harm {
    void to(MemoryChannel channel, Target target) throws IOException;
  }

  /** A door that remembers the channel that it has opened. */
  private static final class Opened implements Door {
    private final Door door;
    private @Nullable MemoryChannel channel;

    Opened(Door door) {
      this.door = door;
    }

    @Override
    public MemoryChannel open() throws IOException {
      MemoryChannel opened = (MemoryChannel) door.open();
      channel = opened;
      return opened;
    }
  }

  /** Makes the node use the memory for something, and harms it meanwhile, again and again. */
  private void harm(Target target, Harm harm) throws IOException {
    for (int i = target.between(1, 8); i > 0; i--) {
      Opened opened = new Opened(door);
      boolean isForMessages = target.random().nextBoolean();
      try (RawPeer peer = isForMessages ? keyed(opened, target) : introduced(opened, target)) {
        MemoryChannel channel = opened.channel;
        if (channel != null) {
          use(peer, isForMessages, target);
          for (int k = target.between(1, 30); k > 0; k--) {
            harm.to(channel, target);
            channel.ring();
          }
        }
      } catch (IOException | InternalError e) {
        continue; // closed, or this end has met the hole itself
      }
    }
  }

  private static RawPeer introduced(Door door, Target target) throws IOException {
    return RawPeer.introduced(door, target.random().nextLong(), target.random().nextLong());
  }

  /** Half of them with long rings. */
  private static RawPeer keyed(Door door, Target target) throws IOException {
    int features = target.random().nextBoolean() ? LONG_RINGS : 0;
    RawPeer peer =
        RawPeer.introduced(
            door,
            target.random().nextLong(),
            target.random().nextLong(),
            features,
            0,
            "messages/uka");
    peer.send(ByteBuffer.allocate(Long.BYTES).putLong(target.object()).array());
    return peer;
  }

  private static void use(RawPeer peer, boolean isForMessages, Target target) throws IOException {
    switch (target.between(0, 3)) {
      case 0 -> {
        if (isForMessages) {
          Attacks.sendUnendedMessage(peer, target.between(1, 1 << 18));
        } else {
          Attacks.sendUnendedSets(peer, target.object());
        }
      }
      case 1 -> {
        if (isForMessages) {
          Attacks.sendFrame(peer, target.between(0, 15), 1, target.bytes(100));
        } else {
          byte[] call = peer.request(target.object(), BYTES).int32(8 << 20).toArray();
          peer.frame(RawPeer.CALL, call);
        }
      }
      case 2 -> peer.frame(RawPeer.CALL, peer.request(target.object(), ECHO).toArray());
      default -> peer.send(Forged.object("java.lang.Object", 1).toArray());
    }
  }

  private void cutOff(MemoryChannel channel, Target target) throws IOException {
    long size = channel.file().size();
    channel.file().truncate(target.random().nextBoolean() ? 0 : target.between(0, (int) size));
  }

  private void makeHoles(MemoryChannel channel, Target target) throws IOException {
    FileChannel file = channel.file();
    long size = file.size();
    file.truncate(PAGE * (long) target.between(0, (int) (size / PAGE)));
    file.write(ByteBuffer.allocate(1), size - 1);
  }

  private void overwrite(MemoryChannel channel, Target target) throws IOException {
    FileChannel file = channel.file();
    int size = (int) file.size();
    byte[] bytes = target.bytes(target.between(1, target.random().nextBoolean() ? 64 : size));
    file.write(ByteBuffer.wrap(bytes), target.between(0, Math.max(0, size - bytes.length)));
  }

  private void moveOn(MemoryChannel channel, Target target) throws IOException {
    FileChannel file = channel.file();
    int back = (int) (file.size() + PAGE) / 2;
    int ring = target.random().nextBoolean() ? PAGE : back;
    long position =
        target.random().nextBoolean()
            ? target.between(0, SharedRings.LONG_CAPACITY)
            : target.random().nextLong();
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    file.write(word.putLong(0, position), ring + WORD_BYTES * target.between(0, WORDS - 1));
  }
}
