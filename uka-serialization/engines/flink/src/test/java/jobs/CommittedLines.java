package jobs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A directory of lines, each of which is there exactly once: lines become a file when the
 * checkpoint that covers them is complete, and a commit that is repeated replaces its own file.
 */
final class CommittedLines implements Sink<Sum>, SupportsCommitter<CommittedLines.Part> {
  private static final long serialVersionUID = 1;

  private final String directory;

  CommittedLines(Path directory) {
    this.directory = directory.toString();
  }

  /** Lines between two checkpoints, and the file that they will become. */
  record Part(String file, String lines) {}

  @Override
  public CommittingSinkWriter<Sum, Part> createWriter(WriterInitContext context) {
    return new Writer();
  }

  @Override
  public Committer<Part> createCommitter(CommitterInitContext context) {
    return new FileCommitter(Path.of(directory));
  }

  @Override
  public SimpleVersionedSerializer<Part> getCommittableSerializer() {
    return new PartSerializer();
  }

  /** Collects lines until the next checkpoint. */
  private static final class Writer implements CommittingSinkWriter<Sum, Part> {
    private final StringBuilder lines = new StringBuilder();

    @Override
    public void write(Sum sum, Context context) {
      lines.append(sum).append('\n');
    }

    @Override
    public Collection<Part> prepareCommit() {
      if (lines.isEmpty()) {
        return List.of();
      }
      Part part = new Part(UUID.randomUUID().toString(), lines.toString());
      lines.setLength(0);
      return List.of(part);
    }

    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public void close() {}
  }

  private record FileCommitter(Path directory) implements Committer<Part> {
    @Override
    public void commit(Collection<CommitRequest<Part>> requests) throws IOException {
      for (CommitRequest<Part> request : requests) {
        Part part = request.getCommittable();
        Path file = directory.resolve(part.file());
        Path unfinished = Files.createTempFile(directory, part.file(), ".unfinished");
        Files.writeString(unfinished, part.lines());
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
      }
    }

    @Override
    public void close() {}
  }

  /** The name in its fixed length, then the lines. */
  private static final class PartSerializer implements SimpleVersionedSerializer<Part> {
    private static final int NAME_CHARACTERS = 36;

    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Part part) {
      return (part.file() + part.lines()).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Part deserialize(int version, byte[] bytes) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      return new Part(text.substring(0, NAME_CHARACTERS), text.substring(NAME_CHARACTERS));
    }
  }
}
