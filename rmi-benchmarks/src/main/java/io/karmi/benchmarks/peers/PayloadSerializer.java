package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.payloads.FourInts;
import io.karmi.benchmarks.payloads.ThirtyTwoInts;
import io.karmi.benchmarks.payloads.Tree;
import java.io.IOException;
import java.util.Set;
import org.cojen.dirmi.Pipe;
import org.cojen.dirmi.Serializer;

/**
 * Dirmi's best configuration: a serializer written by hand for each of the payloads' classes.
 *
 * @param type the class
 */
record PayloadSerializer<T>(Class<T> type, Writer<T> writer, Reader reader) implements Serializer {
  /** Writes an object. */
  private interface Writer<T> {
    void write(Pipe pipe, T object) throws IOException;
  }

  /** Reads an object. */
  private interface Reader {
    Object read(Pipe pipe) throws IOException;
  }

  static Serializer[] all() {
    return new Serializer[] {
      new PayloadSerializer<>(
          FourInts.class,
          (pipe, value) -> {
            writeInts(pipe, value.ints());
            pipe.writeObject(value.first());
            pipe.writeObject(value.second());
          },
          pipe ->
              new FourInts(
                  readInts(pipe, 4), (FourInts) pipe.readObject(), (FourInts) pipe.readObject())),
      new PayloadSerializer<>(
          ThirtyTwoInts.class,
          (pipe, value) -> writeInts(pipe, value.ints()),
          pipe -> new ThirtyTwoInts(readInts(pipe, 32))),
      new PayloadSerializer<>(
          Tree.class,
          (pipe, tree) -> {
            writeInts(pipe, tree.ints());
            pipe.writeObject(tree.left());
            pipe.writeObject(tree.right());
          },
          pipe -> new Tree(readInts(pipe, 4), (Tree) pipe.readObject(), (Tree) pipe.readObject()))
    };
  }

  @Override
  public Set<Class<?>> supportedTypes() {
    return Set.of(type);
  }

  @Override
  public void write(Pipe pipe, Object object) throws IOException {
    writer.write(pipe, type.cast(object));
  }

  @Override
  public Object read(Pipe pipe) throws IOException {
    return reader.read(pipe);
  }

  private static void writeInts(Pipe pipe, int[] ints) throws IOException {
    for (int value : ints) {
      pipe.writeInt(value);
    }
  }

  private static int[] readInts(Pipe pipe, int count) throws IOException {
    int[] ints = new int[count];
    for (int i = 0; i < count; i++) {
      ints[i] = pipe.readInt();
    }
    return ints;
  }
}
