package io.karmi.exchange;

import io.karmi.exchange.record.GroupHeader;
import io.karmi.exchange.record.GroupOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Writes groups of one member to its host: small ones to a pack, others to a file. Thread-safe. */
final class GroupWriter implements AutoCloseable {
  /** Left of a sequence in a pack is its number, which groups that are not packed have as well. */
  private static final int SEQUENCE_SHIFT = 24;

  private final HostDirectory directory;
  private final long space;
  private final int member;
  private final int generation;
  private final AtomicLong numbers = new AtomicLong();
  private final Pack pack;

  GroupWriter(HostDirectory directory, long space, int member, int generation) {
    this.directory = directory;
    this.space = space;
    this.member = member;
    this.generation = generation;
    pack = new Pack(directory, numbers, member, generation);
  }

  /**
   * A group that was written.
   *
   * @param lengthBytes of the body
   */
  record Written(GroupAddress address, long lengthBytes, GroupAddress[] dependencies) {}

  /**
   * Writes a group; of one that fails nothing is left.
   *
   * @param stored whether it is to outlive all processes
   * @param shared objects of other groups that are not written; null for none
   */
  Written write(@Nullable Object root, boolean stored, SharedObjects.@Nullable Uses shared)
      throws IOException {
    try (Draft draft = new Draft(stored)) {
      GroupOutput out = new GroupOutput(draft);
      RootOutput stream = new RootOutput(out, space, shared);
      stream.writeObject(root);
      stream.flush();
      Steps.reached("marshalled");
      GroupAddress[] dependencies = stream.dependencies();
      byte[] named = bytes(dependencies);
      GroupHeader header =
          new GroupHeader(
              stored ? GroupHeader.STORED : 0,
              space,
              new GroupAddress(member, 0, generation),
              out.lengthBytes(),
              dependencies.length,
              0);
      GroupAddress address =
          out.isSmall() && !stored ? pack(header, out, named) : draft.finish(header, out, named);
      return new Written(address, header.length(), dependencies);
    }
  }

  private static byte[] bytes(GroupAddress... dependencies) {
    ByteBuffer to =
        ByteBuffer.allocate(dependencies.length * GroupHeader.ADDRESS_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
    for (GroupAddress each : dependencies) {
      GroupHeader.put(to, each);
    }
    return to.array();
  }

  private static GroupHeader at(GroupHeader draft, GroupAddress address, CRC32C crc) {
    return new GroupHeader(
            draft.flags(), draft.space(), address, draft.length(), draft.dependencies(), 0)
        .sealed(crc);
  }

  private GroupAddress pack(GroupHeader header, GroupOutput body, byte... named)
      throws IOException {
    CRC32C crc = body.crc();
    crc.update(named, 0, named.length);
    int length = Math.toIntExact(header.recordBytes());
    try {
      return pack.append(
          length,
          address ->
              ByteBuffer.allocate(length)
                  .put(at(header, address, crc).bytes())
                  .put(body.bytes, 0, body.position)
                  .put(named)
                  .array());
    } catch (IOException e) {
      throw failed(directory.path, e);
    }
  }

  private IOException failed(Path path, IOException cause) {
    return new IOException(
        "a group cannot be written to "
            + path
            + ", where "
            + directory.freeBytes()
            + " bytes are free: "
            + cause.getMessage(),
        cause);
  }

  /** A file that is being written; it is made for the first bytes. */
  private final class Draft implements GroupOutput.Sink, AutoCloseable {
    private final boolean stored;
    private @Nullable Path path;
    private @Nullable FileChannel channel;

    Draft(boolean stored) {
      this.stored = stored;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      FileChannel to = channel;
      if (to == null) {
        Path file = directory.newFile(member, generation, stored);
        path = file;
        to =
            FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                HostDirectory.GROWING);
        channel = to;
        to.position(GroupHeader.BYTES);
      }
      try {
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
      } catch (IOException e) {
        throw failed(path == null ? directory.path : path, e);
      }
    }

    GroupAddress finish(GroupHeader header, GroupOutput body, byte... named) throws IOException {
      CRC32C crc = body.crc();
      write(ByteBuffer.wrap(body.bytes, 0, body.position));
      crc.update(named, 0, named.length);
      write(ByteBuffer.wrap(named));
      GroupAddress address =
          new GroupAddress(member, numbers.incrementAndGet() << SEQUENCE_SHIFT, generation);
      FileChannel to = Objects.requireNonNull(channel);
      to.write(ByteBuffer.wrap(at(header, address, crc).bytes()), 0);
      Steps.reached("written");
      Path complete = Objects.requireNonNull(path);
      if (stored) {
        directory.publishStored(complete, to, address);
      } else {
        to.close();
        HostDirectory.publish(complete, directory.file(address));
      }
      path = null;
      return address;
    }

    @Override
    public void close() throws IOException {
      if (channel != null) {
        channel.close();
      }
      if (path != null) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Whether a group is one of these. */
  boolean hasWritten(GroupAddress group) {
    return group.member() == member && group.generation() == generation;
  }

  /** Removes a group that no one holds, if this member has packed it. */
  boolean removePacked(GroupAddress group) throws IOException {
    boolean own = Pack.isPacked(group) && hasWritten(group);
    if (own) {
      pack.remove(group);
    }
    return own;
  }

  /** Removes what is empty; called now and then. */
  void tidy() throws IOException {
    pack.tidy();
  }

  @Override
  public void close() throws IOException {
    pack.close();
  }
}
