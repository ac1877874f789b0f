package io.karmi.difference.programs;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** What Java allows remote interfaces to declare, and who may implement them. */
public final class Signatures implements Program {
  /** Of each primitive type one argument and one result. */
  public interface Primitives extends Remote {
    boolean not(boolean value) throws RemoteException;

    byte next(byte value) throws RemoteException;

    char next(char value) throws RemoteException;

    short next(short value) throws RemoteException;

    int next(int value) throws RemoteException;

    long next(long value) throws RemoteException;

    float next(float value) throws RemoteException;

    double next(double value) throws RemoteException;

    String all(
        boolean z, byte b, char c, short s, int i, long j, float f, double d, String l, int[] a)
        throws RemoteException;
  }

  /** Methods that differ in their parameters only. */
  public interface Overloads extends Remote {
    String take() throws RemoteException;

    String take(int value) throws RemoteException;

    String take(Integer value) throws RemoteException;

    String take(Number value) throws RemoteException;

    String take(Object value) throws RemoteException;

    String take(int... values) throws RemoteException;

    String take(Object... values) throws RemoteException;

    String take(int[][] values) throws RemoteException;
  }

  /** Generic, so that its implementations have bridges. */
  public interface Chooser<T extends Comparable<T>> extends Remote {
    T largest(List<T> from) throws RemoteException;

    <E extends Exception> void fail(E how) throws RemoteException, E;

    Number covariant() throws RemoteException;

    default T largestOfOne(T only) throws RemoteException {
      return largest(List.of(only));
    }
  }

  /** Fixes the type, and narrows a result. */
  public interface TextChooser extends Chooser<String> {
    @Override
    String largest(List<String> from) throws RemoteException;

    @Override
    Integer covariant() throws RemoteException;

    static String ofNobody() {
      return "static";
    }
  }

  /** Declared by two interfaces. */
  public interface Left extends Remote {
    String side() throws RemoteException;

    void declared() throws RemoteException, InterruptedException;
  }

  /** Declared by two interfaces, with fewer exceptions. */
  public interface Right extends Remote {
    String side() throws RemoteException, java.io.IOException;

    void declared() throws RemoteException;
  }

  /** Wider exceptions than RemoteException. */
  public interface Wide extends Remote {
    void throwAny(Throwable thrown) throws Throwable;

    void throwException(Exception thrown) throws Exception;

    void throwRemote(Exception thrown) throws java.io.IOException;
  }

  /** Names that mean something to objects, stubs or their superclasses. */
  public interface OddNames extends Remote {
    void finalize() throws RemoteException;

    Object clone() throws RemoteException;

    String getRef(int number) throws RemoteException;

    String reference() throws RemoteException;

    String equals(Object a, Object b) throws RemoteException;

    int hashCode(int seed) throws RemoteException;

    String $dollar_ü() throws RemoteException;

    int finalized() throws RemoteException;
  }

  /** Everything at once. */
  public interface All
      extends Primitives,
          Overloads,
          TextChooser,
          Left,
          Right,
          Wide,
          OddNames,
          java.io.Serializable {}

  static class Base extends UnicastRemoteObject {
    private static final long serialVersionUID = 1;

    Base() throws RemoteException {}

    public String side() {
      return "inherited";
    }
  }

  static final class AllObject implements All {
    private static final long serialVersionUID = 1;
    private int finalized;

    @Override
    public boolean not(boolean value) {
      return !value;
    }

    @Override
    public byte next(byte value) {
      return (byte) (value + 1);
    }

    @Override
    public char next(char value) {
      return (char) (value + 1);
    }

    @Override
    public short next(short value) {
      return (short) (value + 1);
    }

    @Override
    public int next(int value) {
      return value + 1;
    }

    @Override
    public long next(long value) {
      return value + 1;
    }

    @Override
    public float next(float value) {
      return Math.nextUp(value);
    }

    @Override
    public double next(double value) {
      return Math.nextUp(value);
    }

    @Override
    public String all(
        boolean z, byte b, char c, short s, int i, long j, float f, double d, String l, int[] a) {
      return "" + z + b + c + s + i + j + f + d + l + Arrays.toString(a);
    }

    @Override
    public String take() {
      return "nothing";
    }

    @Override
    public String take(int value) {
      return "int";
    }

    @Override
    public String take(Integer value) {
      return "Integer " + value;
    }

    @Override
    public String take(Number value) {
      return "Number " + value;
    }

    @Override
    public String take(Object value) {
      return "Object " + value;
    }

    @Override
    public String take(int... values) {
      return "ints " + Arrays.toString(values);
    }

    @Override
    public String take(Object... values) {
      return "Objects " + Arrays.toString(values);
    }

    @Override
    public String take(int[][] values) {
      return "int arrays " + Arrays.deepToString(values);
    }

    @Override
    public String largest(List<String> from) {
      return from.stream().max(String::compareTo).orElse(null);
    }

    @Override
    public <E extends Exception> void fail(E how) throws E {
      throw how;
    }

    @Override
    public Integer covariant() {
      return 5;
    }

    @Override
    public String side() {
      return "both";
    }

    @Override
    public void declared() {}

    @Override
    public void throwAny(Throwable thrown) throws Throwable {
      throw thrown;
    }

    @Override
    public void throwException(Exception thrown) throws Exception {
      throw thrown;
    }

    @Override
    public void throwRemote(Exception thrown) throws java.io.IOException {
      if (thrown instanceof java.io.IOException) {
        throw (java.io.IOException) thrown;
      }
      throw new java.io.IOException(thrown);
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"}) // a remote method that happens to have this name
    public synchronized void finalize() {
      finalized++;
    }

    @Override
    public Object clone() {
      return "cloned";
    }

    @Override
    public String getRef(int number) {
      return "reference " + number;
    }

    @Override
    public String reference() {
      return "reference";
    }

    @Override
    public String equals(Object a, Object b) {
      return "" + a + b;
    }

    @Override
    public int hashCode(int seed) {
      return seed;
    }

    @Override
    public String $dollar_ü() {
      return "odd";
    }

    @Override
    public synchronized int finalized() {
      return finalized;
    }
  }

  static final class Inheriting extends Base implements Left {
    private static final long serialVersionUID = 1;

    Inheriting() throws RemoteException {}

    @Override
    public void declared() {}
  }

  enum Constant implements Right {
    ONE;

    @Override
    public String side() {
      return "constant";
    }

    @Override
    public void declared() {}
  }

  record Value(String side) implements Right {
    @Override
    public void declared() {}
  }

  static final class Delegating implements InvocationHandler {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return switch (method.getName()) {
        case "side" -> "by a proxy";
        case "hashCode" -> 1;
        case "equals" -> proxy == arguments[0];
        default -> null;
      };
    }
  }

  /** Not static: exported through its outer instance. */
  final class Inner implements Left {
    @Override
    public String side() {
      return "inner of " + Signatures.this.getClass().getSimpleName();
    }

    @Override
    public void declared() {}
  }

  /** Static, so that no collector takes them. */
  private static final List<Remote> KEPT = new ArrayList<>();

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    bind(registry, "all", new AllObject());
    KEPT.add(new Inheriting());
    registry.bind("inheriting", KEPT.get(KEPT.size() - 1));
    bind(registry, "constant", Constant.ONE);
    bind(registry, "value", new Value("value"));
    bind(registry, "inner", new Inner());
    bind(
        registry,
        "proxy",
        (Remote)
            Proxy.newProxyInstance(
                Signatures.class.getClassLoader(), new Class<?>[] {Left.class}, new Delegating()));
    observe((All) UnicastRemoteObject.toStub(KEPT.get(0)), observed);
  }

  private static void bind(Registry registry, String name, Remote object) throws Exception {
    KEPT.add(object);
    UnicastRemoteObject.exportObject(object, 0);
    registry.bind(name, object);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    for (String name : new String[] {"inheriting", "inner", "proxy"}) {
      observed.accept(name + ": " + ((Left) registry.lookup(name)).side());
    }
    for (String name : new String[] {"constant", "value"}) {
      observed.accept(name + ": " + ((Right) registry.lookup(name)).side());
    }
    observe((All) registry.lookup("all"), observed);
  }

  private static void observe(All all, Consumer<String> observed) throws Exception {
    observed.accept("primitives: " + all.not(false) + all.next((byte) 127) + all.next('a'));
    observed.accept("more: " + all.next((short) -1) + all.next(7) + all.next(Long.MAX_VALUE));
    observed.accept("floats: " + all.next(0f) + all.next(-0.0) + all.next(Double.NaN));
    observed.accept(
        "all: "
            + all.all(true, (byte) -1, 'ü', (short) 3, 4, 5, 6.5f, 7.5, null, new int[] {8})
            + all.all(false, (byte) 1, '\uFFFF', (short) 0, -4, -5, 0, 1e300, "", null));
    observed.accept("none: " + all.take() + all.take(1) + all.take((Integer) 2) + all.take(3L));
    observed.accept(
        "any: " + all.take((Object) "text") + all.take(new int[0]) + all.take(new int[] {1, 2}));
    observed.accept("arrays: " + all.take("a", "b") + all.take(new int[][] {{1}, null}));
    observed.accept("null: " + all.take((Integer) null) + all.take((int[]) null));
    Chooser<String> chooser = all;
    observed.accept("bridge: " + chooser.largest(List.of("a", "c", "b")) + all.largest(List.of()));
    observed.accept("default: " + chooser.largestOfOne("one") + TextChooser.ofNobody());
    observed.accept("narrowed: " + chooser.covariant() + all.covariant());
    observed.accept(
        "generic: " + Observe.outcomeOf(() -> all.fail(new java.util.zip.DataFormatException())));
    observed.accept("sides: " + ((Left) all).side() + ((Right) all).side());
    all.declared();
    throwing(all, observed);
    observed.accept("odd: " + all.getRef(1) + all.reference() + all.$dollar_ü() + all.hashCode(3));
    observed.accept("equals: " + all.equals("a", "b") + all.equals(null) + all.equals(all));
    observed.accept("clone: " + Observe.outcome(all::clone));
    all.finalize();
    observed.accept("finalized: " + all.finalized());
  }

  private static void throwing(All all, Consumer<String> observed) {
    Throwable[] each = {
      new Throwable("any"),
      new Exception("exception"),
      new java.io.EOFException("subclass"),
      new RemoteException("remote"),
      new java.rmi.NoSuchObjectException("not this one"),
      new java.rmi.ServerException("thrown by hand"),
      new java.rmi.UnmarshalException("thrown by hand"),
      new java.rmi.ConnectException("of another call"),
      new StackOverflowError("error"),
      new NoClassDefFoundError("error"),
      new ThreadDeath(),
      new java.lang.reflect.UndeclaredThrowableException(new Exception("inside")),
      new java.rmi.AccessException("access"),
      new java.rmi.server.ServerNotActiveException("checked")
    };
    for (Throwable thrown : each) {
      observed.accept(
          "throws: " + full(() -> all.throwAny(thrown)) + full(() -> throwAs(all, thrown)));
    }
  }

  private static void throwAs(All all, Throwable thrown) throws Throwable {
    if (thrown instanceof Exception) {
      all.throwException((Exception) thrown);
    }
  }

  /** What may throw anything. */
  private interface Thrower {
    void run() throws Throwable;
  }

  private static String full(Thrower action) {
    try {
      action.run();
      return " nothing";
    } catch (Throwable e) {
      return " " + Observe.inFull(e);
    }
  }
}
