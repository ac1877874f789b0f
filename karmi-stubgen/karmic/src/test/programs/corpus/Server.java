package corpus;

import corpus.Interfaces.Clashing;
import corpus.Interfaces.Dollar$;
import corpus.Interfaces.Full;
import corpus.Interfaces.Hidden;
import corpus.Interfaces.Kinds;
import corpus.Interfaces.Later;
import corpus.Interfaces.Narrow;
import corpus.Interfaces.Point;
import corpus.Interfaces.Rows;
import corpus.Interfaces.Throwing;
import corpus.Interfaces.Words;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Serves one object of each kind; prints the registry's port. */
public final class Server {
  private Server() {}

  static final class WordsObject implements Words {
    private String word = "first";

    @Override
    public String get() throws FileNotFoundException {
      if (word == null) {
        throw new FileNotFoundException("no word");
      }
      return word;
    }

    @Override
    public void put(String word) {
      this.word = word;
    }

    @Override
    public String swap(String value, List<? super String> others) {
      String old = word;
      word = value + others;
      return old;
    }

    @Override
    public String[] all(String[] values) {
      return values.clone();
    }

    @Override
    public <U extends Comparable<U>> U largest(List<U> values, String beside) {
      return Collections.max(values);
    }

    @Override
    public Map<String, List<String>> grouped(int count) {
      return Map.of("words", Collections.nCopies(count, word));
    }
  }

  static final class RowsObject implements Rows {
    @Override
    public int[] get() throws IOException {
      throw new EOFException("no rows");
    }

    @Override
    public void put(int[] value) {}

    @Override
    public int[] swap(int[] value, List<? super int[]> others) {
      return new int[] {value.length, others.size()};
    }

    @Override
    public int[][] all(int[][] values) {
      return values;
    }

    @Override
    public <U extends Comparable<U>> U largest(List<U> values, int[] beside) {
      return values.get(beside[0]);
    }

    @Override
    public Map<String, List<int[]>> grouped(int count) {
      return Map.of();
    }

    @Override
    public int[] middle(int[] value) {
      return Arrays.copyOf(value, value.length + 1);
    }
  }

  /** Several interfaces, one of them seen in its package only. */
  static final class Several implements Kinds, Narrow, Hidden, Dollar$ {
    @Override
    public boolean of(boolean a) {
      return !a;
    }

    @Override
    public byte of(byte a) {
      return (byte) (a + 1);
    }

    @Override
    public char of(char a) {
      return (char) (a + 1);
    }

    @Override
    public short of(short a) {
      return (short) (a + 1);
    }

    @Override
    public int of(int a) {
      return a + 1;
    }

    @Override
    public long of(long a) {
      return a + 1;
    }

    @Override
    public float of(float a) {
      return a + 1;
    }

    @Override
    public double of(double a) {
      return a + 1;
    }

    @Override
    public Integer of(Integer a) {
      return a == null ? null : a + 100;
    }

    @Override
    public String of(String a) {
      return a + "s";
    }

    @Override
    public Object of(Object a) {
      return a + "o";
    }

    @Override
    public String of(int a, Object... more) {
      return a + Arrays.toString(more);
    }

    @Override
    public boolean[] of(boolean... a) {
      return a;
    }

    @Override
    public long[][] of(long[][] a, byte[] b, char[] c, short[] d, float[] e, double[] f) {
      a[0][0] = b[0] + c[0] + d[0] + (long) e[0] + (long) f[0];
      return a;
    }

    @Override
    public Point[] points(Point... points) {
      return new Point[] {points[1], points[0], null};
    }

    @Override
    public void nothing() {}

    @Override
    public int toStringOf(Object hashCode, long wait, int $dollar, int _under) {
      return hashCode.toString().length() + (int) wait + $dollar + _under;
    }

    @Override
    public Integer value() {
      return 42;
    }

    @Override
    public String[] values() {
      return new String[] {"narrow"};
    }

    @Override
    public String hidden(Hidden other) {
      return other == null ? "alone" : "with another";
    }

    @Override
    public String sign$(String $) {
      return "$" + $;
    }
  }

  static final class ClashingObject implements Clashing {
    @Override
    public int hashCode(int seed) {
      return seed + 1;
    }

    @Override
    public String toString(String prefix) {
      return prefix + "!";
    }

    @Override
    public boolean equals(String one, String other) {
      return one.equals(other);
    }

    @Override
    public String wait(String word) {
      return "waited for " + word;
    }

    @Override
    public String finalize(int times) {
      return times + " times";
    }

    @Override
    public String getRef(int number) {
      return "ref " + number;
    }

    @Override
    public String reference() {
      return "reference";
    }

    @Override
    public String replacement(String word) {
      return "no " + word;
    }

    @Override
    public Object writeReplace(int number) {
      return number;
    }

    @Override
    public String[] interfaceNames() {
      return new String[] {"Clashing"};
    }

    @Override
    public String FINGERPRINT() {
      return "of a finger";
    }

    @Override
    public int größe(int maß) {
      return 2 * maß;
    }
  }

  static final class LaterObject implements Later {
    @Override
    public CompletableFuture<String> later(String word) {
      return CompletableFuture.completedFuture(word + " later");
    }

    @Override
    public CompletableFuture<Void> fails() {
      return CompletableFuture.failedFuture(new Full("later"));
    }
  }

  static final class ThrowingObject implements Throwing {
    @Override
    public void declared(int what) throws IOException, Full {
      switch (what) {
        case 0 -> throw new FileNotFoundException("found");
        case 1 -> throw new EOFException("end");
        case 2 -> throw new Full("full");
        default -> undeclared(what);
      }
    }

    @Override
    public void undeclared(int what) throws RemoteException {
      switch (what) {
        case 3 -> throw new IllegalArgumentException("argument");
        case 4 -> throw new StackOverflowError("error");
        case 5 -> throw new RemoteException("remote");
        default -> ThrowingObject.<RuntimeException>sneak(new InterruptedException("sneaked"));
      }
    }

    @Override
    public void anything(int what) throws Exception {
      declared(what);
    }

    @Override
    public void everything(int what) throws Throwable {
      declared(what);
    }

    @Override
    public void unchecked(int what) throws RemoteException {
      undeclared(what);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }

  /** Runs until it is killed. */
  public static void main(String[] args) throws Exception {
    int port = 0;
    Registry registry = null;
    for (int attempt = 0; registry == null; attempt++) {
      try (java.net.ServerSocket free =
          new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      try {
        registry = Rmi.createRegistry(port);
      } catch (RemoteException e) {
        if (attempt == 20) {
          throw e;
        }
      }
    }
    Remote[] objects = {
      new WordsObject(),
      new RowsObject(),
      new Several(),
      new LaterObject(),
      new ThrowingObject(),
      new ClashingObject(),
      new Wide.Adding()
    };
    for (Remote each : objects) {
      registry.rebind(each.getClass().getSimpleName(), Rmi.export(each));
    }
    System.out.println("port " + port);
    Thread.sleep(Long.MAX_VALUE);
  }
}
