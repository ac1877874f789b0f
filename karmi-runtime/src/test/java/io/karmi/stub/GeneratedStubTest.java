package io.karmi.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.marshal.JdkFormat;
import io.karmi.reference.Node;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.rmi.UnexpectedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.After;
import org.junit.Test;

/** Calls through generated stubs and skeletons of one node. */
public class GeneratedStubTest {
  private final Node node = new Node(List.of(new JdkFormat()));
  private final List<Remote> exported = new ArrayList<>();

  @After
  public void closeNode() throws RemoteException {
    for (Remote each : exported) {
      node.unexport(each, true);
    }
    node.close();
  }

  private <T extends Remote> T stubOf(T object) throws IOException {
    StubType type = StubTypes.ofImplementation(object.getClass());
    @SuppressWarnings("unchecked")
    T stub = (T) node.export(object, type.makeSkeleton(), type, 0, null).stub();
    exported.add(object);
    return stub;
  }

  interface Every extends Remote {
    void nothing() throws RemoteException;

    boolean booleans(boolean a, boolean b) throws RemoteException;

    byte bytes(byte a, byte b) throws RemoteException;

    char chars(char a) throws RemoteException;

    short shorts(short a) throws RemoteException;

    int ints(int a, int b) throws RemoteException;

    long longs(long a, int b, long c) throws RemoteException;

    float floats(float a, float b) throws RemoteException;

    double doubles(double a, float b, double c) throws RemoteException;

    String object(String a, Object b, int[] c) throws RemoteException;

    int[][] arrays(int[]... rows) throws RemoteException;

    int count(String... words) throws RemoteException;
  }

  static class EveryImplementation implements Every {
    int nothings;

    @Override
    public void nothing() {
      nothings++;
    }

    @Override
    public boolean booleans(boolean a, boolean b) {
      return a && !b;
    }

    @Override
    public byte bytes(byte a, byte b) {
      return (byte) (a - b);
    }

    @Override
    public char chars(char a) {
      return (char) (a + 1);
    }

    @Override
    public short shorts(short a) {
      return (short) -a;
    }

    @Override
    public int ints(int a, int b) {
      return a - b;
    }

    @Override
    public long longs(long a, int b, long c) {
      return a - b - c;
    }

    @Override
    public float floats(float a, float b) {
      return a / b;
    }

    @Override
    public double doubles(double a, float b, double c) {
      return a / b - c;
    }

    @Override
    public String object(String a, Object b, int[] c) {
      return a + b + Arrays.toString(c);
    }

    @Override
    public int[][] arrays(int[]... rows) {
      return rows;
    }

    @Override
    public int count(String... words) {
      return words == null ? -1 : words.length;
    }
  }

  @Test
  public void everyKindOfArgumentAndResultArrives() throws IOException {
    EveryImplementation object = new EveryImplementation();
    Every stub = stubOf((Every) object);
    stub.nothing();
    assertThat(object.nothings).isEqualTo(1);
    assertThat(stub.booleans(true, false)).isTrue();
    assertThat(stub.bytes((byte) -100, (byte) 20)).isEqualTo((byte) -120);
    assertThat(stub.chars('\uFFFE')).isEqualTo('\uFFFF');
    assertThat(stub.shorts(Short.MIN_VALUE)).isEqualTo(Short.MIN_VALUE);
    assertThat(stub.ints(Integer.MIN_VALUE, 1)).isEqualTo(Integer.MAX_VALUE);
    assertThat(stub.longs(1L << 40, 1, 2)).isEqualTo((1L << 40) - 3);
    assertThat(stub.floats(1, 3)).isEqualTo(1f / 3f);
    assertThat(stub.doubles(1, 3, 0.5)).isEqualTo(1 / 3.0 - 0.5);
    assertThat(stub.object(null, List.of(1), new int[] {2})).isEqualTo("null[1][2]");
    assertThat(stub.arrays(new int[] {1}, null, new int[] {2, 3}))
        .isDeepEqualTo(new int[][] {{1}, null, {2, 3}});
    assertThat(stub.count("a", "b")).isEqualTo(2);
    assertThat(stub.count((String[]) null)).isEqualTo(-1);
  }

  interface Wide extends Remote {
    long sum(
        long a0,
        long a1,
        long a2,
        long a3,
        long a4,
        long a5,
        long a6,
        long a7,
        long a8,
        long a9,
        long b0,
        long b1,
        long b2,
        long b3,
        long b4,
        long b5,
        long b6,
        long b7,
        long b8,
        long b9,
        long c0,
        long c1,
        long c2,
        long c3,
        long c4,
        long c5,
        long c6,
        long c7,
        long c8,
        long c9,
        long d0,
        long d1,
        long d2,
        long d3,
        long d4,
        long d5,
        long d6,
        long d7,
        long d8,
        long d9,
        long e0,
        long e1,
        long e2,
        long e3,
        long e4,
        long e5,
        long e6,
        long e7,
        long e8,
        long e9,
        long f0,
        long f1,
        long f2,
        long f3,
        long f4,
        long f5,
        long f6,
        long f7,
        long f8,
        long f9,
        long g0,
        long g1,
        long g2,
        long g3,
        long g4,
        long g5,
        long g6,
        long g7,
        long g8,
        long g9,
        long h0,
        long h1,
        long h2,
        long h3,
        long h4,
        long h5,
        long h6,
        long h7,
        long h8,
        long h9,
        long i0,
        long i1,
        long i2,
        long i3,
        long i4,
        long i5,
        long i6,
        long i7,
        long i8,
        long i9,
        long j0,
        long j1,
        long j2,
        long j3,
        long j4,
        long j5,
        long j6,
        long j7,
        long j8,
        long j9,
        long k0,
        long k1,
        long k2,
        long k3,
        long k4,
        long k5,
        long k6,
        long k7,
        long k8,
        long k9,
        long l0,
        long l1,
        long l2,
        long l3,
        long l4,
        long l5,
        long l6,
        long l7,
        long l8,
        long l9,
        long m0,
        long m1,
        long m2,
        long m3,
        long m4,
        long m5,
        long m6)
        throws RemoteException;
  }

  @Test
  public void methodMayFillAll255ArgumentSlots() throws Exception {
    Wide object =
        (Wide)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Wide.class},
                (proxy, method, arguments) -> {
                  if (method.getDeclaringClass() == Object.class) {
                    return System.identityHashCode(proxy);
                  }
                  long sum = 0;
                  for (Object each : arguments) {
                    sum = 31 * sum + (Long) each;
                  }
                  return sum;
                });
    Wide stub = stubOf(object);
    Object[] arguments = new Object[127];
    long expected = 0;
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] = i * 1_000_003L;
      expected = 31 * expected + i * 1_000_003L;
    }
    java.lang.reflect.Method sum = Wide.class.getMethods()[0];
    sum.setAccessible(true);
    assertThat(sum.invoke(stub, arguments)).isEqualTo(expected);
  }

  interface Source<T> extends Remote {
    T get() throws RemoteException;

    default String describe() throws RemoteException {
      return "source of " + get();
    }
  }

  interface Words extends Source<String> {
    @Override
    String get() throws RemoteException;

    default void accept(String word) throws RemoteException {}
  }

  static class WordsImplementation implements Words {
    @Override
    public String get() {
      return "word";
    }

    @Override
    public String describe() {
      return "overridden";
    }
  }

  @Test
  public void bridgesAndDefaultMethodsReachTheImplementation() throws IOException {
    Words stub = stubOf((Words) new WordsImplementation());
    Source<String> bridged = stub;
    assertThat(bridged.get()).isEqualTo("word");
    assertThat(stub.describe()).isEqualTo("overridden");
    stub.accept("default body runs at the object");
  }

  interface Thrower extends Remote {
    void run(int what) throws RemoteException, FileNotFoundException;

    void anything(int what) throws Exception;
  }

  static class ThrowerImplementation implements Thrower {
    @Override
    public void run(int what) throws FileNotFoundException, RemoteException {
      switch (what) {
        case 0 -> throw new FileNotFoundException("declared");
        case 1 -> throw new IllegalStateException("runtime");
        case 2 -> throw new AssertionError("error");
        case 3 -> throw new RemoteException("remote");
        default -> ThrowerImplementation.<RuntimeException>sneak(new IOException("undeclared"));
      }
    }

    @Override
    public void anything(int what) throws Exception {
      throw new IOException("any");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }

  @Test
  public void exceptionsArriveAsTheirKindDemands() throws IOException {
    Thrower stub = stubOf((Thrower) new ThrowerImplementation());
    assertThatThrownBy(() -> stub.run(0)).isExactlyInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> stub.run(1)).isExactlyInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> stub.run(2))
        .isExactlyInstanceOf(ServerError.class)
        .hasCauseExactlyInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> stub.run(3))
        .isExactlyInstanceOf(ServerException.class)
        .hasCauseExactlyInstanceOf(RemoteException.class);
    assertThatThrownBy(() -> stub.run(4))
        .isExactlyInstanceOf(UnexpectedException.class)
        .hasMessageStartingWith("unexpected exception")
        .hasCauseExactlyInstanceOf(IOException.class);
    assertThatThrownBy(() -> stub.anything(0)).isExactlyInstanceOf(IOException.class);
  }

  @Test
  public void stubsOfOneObjectAreEqualAndPrintTheInterface() throws IOException {
    Every object = new EveryImplementation();
    Every stub = stubOf(object);
    Remote other = StubTypes.of(Every.class).makeStub(((Stub) stub).reference());
    assertThat(other).isEqualTo(stub).hasSameHashCodeAs(stub);
    assertThat(stub.toString())
        .startsWith("Proxy[GeneratedStubTest$Every,RemoteObjectInvocationHandler[");
    assertThat(stub).isNotEqualTo(stubOf((Every) new EveryImplementation()));
  }

  interface First extends Remote {
    int first() throws RemoteException;
  }

  interface Second extends Remote {
    int second() throws RemoteException;

    default void finalize() throws RemoteException {
      throw new IllegalStateException("called remotely");
    }
  }

  @SuppressWarnings({"deprecation", "removal"}) // what a remote interface may declare all the same
  static class Both implements First, Second {
    @Override
    public int first() {
      return 1;
    }

    @Override
    public int second() {
      return 2;
    }

    @Override
    public void finalize() {}
  }

  @Test
  public void stubHasAllInterfacesAndLeavesFinalizeToTheCollector() throws IOException {
    Both object = new Both();
    StubType type = StubTypes.ofImplementation(Both.class);
    Remote stub = node.export(object, type.makeSkeleton(), type, 0, null).stub();
    exported.add(object);
    assertThat(((First) stub).first()).isEqualTo(1);
    assertThat(((Second) stub).second()).isEqualTo(2);
    ((Second) stub).finalize();
    assertThat(StubTypes.of(First.class, Second.class)).isSameAs(type);
  }
}
