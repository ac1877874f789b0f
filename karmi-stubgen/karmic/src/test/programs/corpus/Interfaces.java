package corpus;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Awkward remote interfaces. */
public final class Interfaces {
  private Interfaces() {}

  /** A value. */
  public static final class Point implements Serializable {
    private static final long serialVersionUID = 1;
    final int x;
    final double y;
    final String name;
    final Point next;

    public Point(int x, double y, String name, Point next) {
      this.x = x;
      this.y = y;
      this.name = name;
      this.next = next;
    }

    @Override
    public String toString() {
      return x + "/" + y + name + next;
    }
  }

  /** Generic in what it holds, what it throws, and in methods. */
  public interface Holder<T, E extends Exception> extends Remote {
    T get() throws RemoteException, E;

    void put(T value) throws RemoteException;

    T swap(T value, List<? super T> others) throws RemoteException;

    T[] all(T[] values) throws RemoteException;

    <U extends Comparable<U>> U largest(List<U> values, T beside) throws RemoteException;

    Map<String, List<T>> grouped(int count) throws RemoteException;
  }

  /** Bridges: get and put are there twice. */
  public interface Words extends Holder<String, FileNotFoundException> {
    @Override
    String get() throws RemoteException, FileNotFoundException;

    @Override
    void put(String word) throws RemoteException;

    default String twice(String word) throws RemoteException {
      return word + word;
    }

    static String helper() throws RemoteException {
      return "helper";
    }
  }

  /** Two steps below the variable, which is an array here. */
  public interface Rows extends Middle<int[]> {}

  /** Between. */
  public interface Middle<M> extends Holder<M, IOException> {
    M middle(M value) throws RemoteException;
  }

  /** Overloads that differ in what a compiler would convert. */
  public interface Kinds extends Remote {
    boolean of(boolean a) throws RemoteException;

    byte of(byte a) throws RemoteException;

    char of(char a) throws RemoteException;

    short of(short a) throws RemoteException;

    int of(int a) throws RemoteException;

    long of(long a) throws RemoteException;

    float of(float a) throws RemoteException;

    double of(double a) throws RemoteException;

    Integer of(Integer a) throws RemoteException;

    String of(String a) throws RemoteException;

    Object of(Object a) throws RemoteException;

    String of(int a, Object... more) throws RemoteException;

    boolean[] of(boolean... a) throws RemoteException;

    long[][] of(long[][] a, byte[] b, char[] c, short[] d, float[] e, double[] f)
        throws RemoteException;

    Point[] points(Point... points) throws RemoteException;

    void nothing() throws RemoteException;

    int toStringOf(Object hashCode, long wait, int $dollar, int _under) throws RemoteException;
  }

  /** Results that become narrower. */
  public interface Broad extends Remote {
    Number value() throws IOException;

    Object[] values() throws Exception;
  }

  /** The narrower ones. */
  public interface Narrow extends Broad {
    @Override
    Integer value() throws RemoteException;

    @Override
    String[] values() throws RemoteException;
  }

  /** Results that come later. */
  public interface Later extends Remote {
    CompletableFuture<String> later(String word) throws RemoteException;

    CompletableFuture<Void> fails() throws RemoteException;
  }

  /** Exceptions: checked ones, one below another, unchecked, errors, all. */
  public interface Throwing extends Remote {
    void declared(int what) throws RemoteException, IOException, FileNotFoundException, Full;

    void undeclared(int what) throws RemoteException;

    void anything(int what) throws Exception;

    void everything(int what) throws Throwable;

    void unchecked(int what) throws RemoteException, IllegalStateException, AssertionError;
  }

  /** Checked, and of the program. */
  public static final class Full extends Exception {
    private static final long serialVersionUID = 1;

    public Full(String message) {
      super(message);
    }
  }

  /** Seen in its package only. */
  interface Hidden extends Remote {
    String hidden(Hidden other) throws RemoteException;
  }

  /** With a sign in its name, and not to be taken for one inside another. */
  public interface Dollar$ extends Remote {
    String sign$(String $) throws RemoteException;
  }

  /** Methods with names that a stub's superclasses have, too, and some beyond ASCII. */
  public interface Clashing extends Remote {
    int hashCode(int seed) throws RemoteException;

    String toString(String prefix) throws RemoteException;

    boolean equals(String one, String other) throws RemoteException;

    String wait(String word) throws RemoteException;

    String finalize(int times) throws RemoteException;

    String getRef(int number) throws RemoteException;

    String reference() throws RemoteException;

    String replacement(String word) throws RemoteException;

    Object writeReplace(int number) throws RemoteException;

    String[] interfaceNames() throws RemoteException;

    String FINGERPRINT() throws RemoteException;

    int größe(int maß) throws RemoteException;
  }
}
