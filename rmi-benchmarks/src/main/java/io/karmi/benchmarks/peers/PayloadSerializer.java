package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.payloads.FourInts;
import io.karmi.benchmarks.payloads.ThirtyTwoInts;
import io.karmi.benchmarks.payloads.Tree;
import java.io.IOException;
import java.util.Set;
import org.cojen.dirmi.Pipe;
import org.cojen.dirmi.Serializer;

/** Dirmi's best configuration: a serializer written by hand for each of the payloads' classes. */
abstract class PayloadSerializer implements Serializer {
  private final Class<?> type;

  private PayloadSerializer(Class<?> type) {
    this.type = type;
  }

  static Serializer[] all() {
    return new Serializer[] {new OfFourInts(), new OfThirtyTwoInts(), new OfTree()};
  }

  @Override
  public Set<Class<?>> supportedTypes() {
    return Set.of(type);
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

  private static final class OfFourInts extends PayloadSerializer {
    OfFourInts() {
      super(FourInts.class);
    }

    @Override
    public void write(Pipe pipe, Object object) throws IOException {
      FourInts value = (FourInts) object;
      writeInts(pipe, value.ints());
      pipe.writeObject(value.first());
      pipe.writeObject(value.second());
    }

    @Override
    public Object read(Pipe pipe) throws IOException {
      int[] ints = readInts(pipe, 4);
      return new FourInts(ints, (FourInts) pipe.readObject(), (FourInts) pipe.readObject());
    }
  }

  private static final class OfThirtyTwoInts extends PayloadSerializer {
    OfThirtyTwoInts() {
      super(ThirtyTwoInts.class);
    }

    @Override
    public void write(Pipe pipe, Object object) throws IOException {
      writeInts(pipe, ((ThirtyTwoInts) object).ints());
    }

    @Override
    public Object read(Pipe pipe) throws IOException {
      return new ThirtyTwoInts(readInts(pipe, 32));
    }
  }

  private static final class OfTree extends PayloadSerializer {
    OfTree() {
      super(Tree.class);
    }

    @Override
    public void write(Pipe pipe, Object object) throws IOException {
      Tree tree = (Tree) object;
      writeInts(pipe, tree.ints());
      pipe.writeObject(tree.left());
      pipe.writeObject(tree.right());
    }

    @Override
    public Object read(Pipe pipe) throws IOException {
      int[] ints = readInts(pipe, 4);
      return new Tree(ints, (Tree) pipe.readObject(), (Tree) pipe.readObject());
    }
  }
}
