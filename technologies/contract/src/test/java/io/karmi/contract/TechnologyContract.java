package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.InCall;
import io.karmi.technology.Technology;
import io.karmi.technology.ThrownByCallee;
import io.karmi.technology.UpCall;
import java.io.Closeable;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.WriteAbortedException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Contract of every technology with the runtime. Two instances of it talk to each other in one JVM.
 */
public abstract class TechnologyContract {
  private static final int SUM = 0;
  private static final int ECHO = 1;
  private static final int THROW = 2;
  private static final int LOSE_RESULT = 3;
  private static final int RECURSE = 4;
  private static final int PRIMITIVE = 5;
  private static final int WATCH = 14;

  /** 64 MiB. */
  private static final int MOST_BYTES = 64 << 20;

  private static final ClassLoader LOADER = TechnologyContract.class.getClassLoader();

  private final CountDownLatch lineGone = new CountDownLatch(1);
  private static final Map<String, String> NO_HEADER = Map.of();

  private volatile @Nullable Map<String, String> lastHeader;
  private Callee clientNode;
  private Callee serverNode;
  private Technology client;
  private Technology server;
  private ObjectId target;
  private ObjectId targetAtClient;

  /** Opens one more instance of the technology. */
  protected abstract Technology open(UpCall upCall) throws IOException;

  @Before
  public final void openBothEnds() throws IOException {
    clientNode = new Callee(this::recurseAtClient);
    serverNode = new Callee(this::serve);
    client = open(clientNode);
    server = open(serverNode);
    target = new ObjectId(serverNode.node(), Callee.OBJECT, server.listen(0));
    targetAtClient = new ObjectId(clientNode.node(), Callee.OBJECT, client.listen(0));
  }

  @After
  public final void closeBothEnds() {
    client.close();
    server.close();
  }

  private void serve(InCall call, CallInput in, CallOutput out) throws Exception {
    lastHeader = call.header();
    switch (call.methodNumber()) {
      case SUM:
        int sum = in.readInt() + in.readInt();
        in.endArguments();
        out.beginResult();
        out.writeInt(sum);
        break;
      case ECHO:
        Object echoed = in.readObject();
        in.endArguments();
        out.beginResult();
        out.writeObject(echoed);
        break;
      case THROW:
        in.endArguments();
        throw new IllegalStateException("thrown by the method");
      case LOSE_RESULT:
        in.endArguments();
        out.beginResult();
        out.writeObject(new Object());
        break;
      case RECURSE:
        int depth = in.readInt();
        in.endArguments();
        int result = depth == 0 ? 0 : 1 + recurse(server, targetAtClient, depth - 1);
        out.beginResult();
        out.writeInt(result);
        break;
      case WATCH:
        in.endArguments();
        call.whenGone(lineGone::countDown);
        out.beginResult();
        out.writeLong(1);
        break;
      default:
        in.endArguments();
        out.beginResult();
        writePrimitive(call.methodNumber() - PRIMITIVE, out);
    }
  }

  private void recurseAtClient(InCall call, CallInput in, CallOutput out) throws Exception {
    int depth = in.readInt();
    in.endArguments();
    int result = depth == 0 ? 0 : 1 + recurse(client, target, depth - 1);
    out.beginResult();
    out.writeInt(result);
  }

  private static int recurse(Technology from, ObjectId to, int depth) throws Exception {
    Arguments one = ints(depth);
    return (int) from.bitsApplicationCall(Integer.BYTES, to, Callee.METHODS, RECURSE, one, LOADER);
  }

  private static void writePrimitive(int kind, CallOutput out) throws IOException {
    switch (kind) {
      case 0:
        out.writeBoolean(true);
        break;
      case 1:
        out.writeByte(-7);
        break;
      case 2:
        out.writeChar('\u20AC');
        break;
      case 3:
        out.writeShort(-30_000);
        break;
      case 4:
        out.writeInt(Integer.MIN_VALUE);
        break;
      case 5:
        out.writeLong(Long.MAX_VALUE);
        break;
      case 6:
        out.writeFloat(1.5f);
        break;
      case 7:
        out.writeDouble(Math.PI);
        break;
      default: // nothing for void
    }
  }

  private static Arguments ints(int... values) {
    return new Arguments() {
      @Override
      public void marshal(CallOutput out) throws IOException {
        for (int value : values) {
          out.writeInt(value);
        }
      }
    };
  }

  private static Arguments objects(@Nullable Object... values) {
    return new Arguments() {
      @Override
      public void marshal(CallOutput out) throws IOException {
        for (Object value : values) {
          out.writeObject(value);
        }
      }
    };
  }

  private int sum(int a, int b) throws RemoteException, ThrownByCallee {
    return (int)
        client.bitsApplicationCall(Integer.BYTES, target, Callee.METHODS, SUM, ints(a, b), LOADER);
  }

  private @Nullable Object echo(@Nullable Object value) throws RemoteException, ThrownByCallee {
    return client.objectApplicationCall(target, Callee.METHODS, ECHO, objects(value), LOADER);
  }

  @Test
  public void argumentsAndResultsOfPrimitiveTypesCross() throws Exception {
    assertThat(sum(40, 2)).isEqualTo(42);
    Arguments none = Arguments.NONE;
    assertThat(
            client.bitsApplicationCall(Byte.BYTES, target, Callee.METHODS, PRIMITIVE, none, LOADER)
                != 0)
        .isTrue();
    assertThat(
            (byte)
                client.bitsApplicationCall(
                    Byte.BYTES, target, Callee.METHODS, PRIMITIVE + 1, none, LOADER))
        .isEqualTo((byte) -7);
    assertThat(
            (char)
                client.bitsApplicationCall(
                    Character.BYTES, target, Callee.METHODS, PRIMITIVE + 2, none, LOADER))
        .isEqualTo('\u20AC');
    assertThat(
            (short)
                client.bitsApplicationCall(
                    Short.BYTES, target, Callee.METHODS, PRIMITIVE + 3, none, LOADER))
        .isEqualTo((short) -30_000);
    assertThat(
            (int)
                client.bitsApplicationCall(
                    Integer.BYTES, target, Callee.METHODS, PRIMITIVE + 4, none, LOADER))
        .isEqualTo(Integer.MIN_VALUE);
    assertThat(
            client.bitsApplicationCall(
                Long.BYTES, target, Callee.METHODS, PRIMITIVE + 5, none, LOADER))
        .isEqualTo(Long.MAX_VALUE);
    assertThat(
            Float.intBitsToFloat(
                (int)
                    client.bitsApplicationCall(
                        Float.BYTES, target, Callee.METHODS, PRIMITIVE + 6, none, LOADER)))
        .isEqualTo(1.5f);
    assertThat(
            Double.longBitsToDouble(
                client.bitsApplicationCall(
                    Double.BYTES, target, Callee.METHODS, PRIMITIVE + 7, none, LOADER)))
        .isEqualTo(Math.PI);
    client.voidApplicationCall(target, Callee.METHODS, PRIMITIVE + 8, none, LOADER);
    assertThat(serverNode.calls()).isEqualTo(10);
  }

  @Test
  public void objectsCrossAgainAndAgain() throws Exception {
    for (int i = 0; i < 3; i++) {
      Object sent = new ArrayList<>(List.of("text", i, List.of(1.5, 'x')));
      assertThat(echo(sent)).isEqualTo(sent).isNotSameAs(sent);
    }
    assertThat(echo(null)).isNull();
  }

  @Test
  public void whatTheMethodThrowsIsAResult() throws Exception {
    assertThatThrownBy(
            () -> client.voidApplicationCall(target, Callee.METHODS, THROW, Arguments.NONE, LOADER))
        .isInstanceOf(ThrownByCallee.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("thrown by the method");
    assertThat(sum(1, 2)).isEqualTo(3);
  }

  @Test
  public void argumentThatCannotBeSerializedIsNotSent() throws Exception {
    assertThatThrownBy(() -> echo(List.of("first", new Object())))
        .isInstanceOf(MarshalException.class)
        .hasCauseInstanceOf(NotSerializableException.class);
    assertThat(serverNode.calls()).isZero();
    assertThat(echo(List.of("first", "second"))).isEqualTo(List.of("first", "second"));
  }

  @Test
  public void resultThatCannotBeSerializedIsAnUnmarshalException() throws Exception {
    assertThatThrownBy(
            () ->
                client.objectApplicationCall(
                    target, Callee.METHODS, LOSE_RESULT, Arguments.NONE, LOADER))
        .isInstanceOf(UnmarshalException.class)
        .hasCauseInstanceOf(WriteAbortedException.class);
    assertThat(echo("alive")).isEqualTo("alive");
  }

  @Test
  public void argumentThatCannotBeReadLeavesTheWayUsable() throws Exception {
    assertThat(echo(new Sound("before"))).isEqualTo(new Sound("before"));
    assertThatThrownBy(() -> echo(List.of(new Sound("a"), new Unreadable(), new Later())))
        .isInstanceOf(ThrownByCallee.class)
        .cause()
        .isInstanceOf(IOException.class);
    assertThat(echo(new Later())).as("a class named in the part that was not read").isNotNull();
    assertThat(echo(new Sound("after"))).isEqualTo(new Sound("after"));
  }

  @Test
  public void oneByteToManyMegabytesCross() throws Exception {
    for (int length = 1; length <= MOST_BYTES; length *= 4) {
      byte[] sent = new byte[length];
      for (int i = 0; i < length; i++) {
        sent[i] = (byte) (i * 31 + (i >> 8));
      }
      byte[] echoed = (byte[]) echo(sent);
      assertThat(Arrays.mismatch(echoed, sent)).as("first wrong of %s bytes", length).isEqualTo(-1);
    }
    assertThat(sum(1, 1)).isEqualTo(2);
  }

  @Test
  public void largeArgumentsAndResultsCross() throws Exception {
    double[] numbers = new double[2_000_000];
    Arrays.setAll(numbers, i -> i * 0.5);
    assertThat((double[]) echo(numbers)).isEqualTo(numbers);
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      many.add("element " + i);
    }
    assertThat(echo(many)).isEqualTo(many);
    assertThat(sum(1, 1)).isEqualTo(2);
  }

  @Test
  public void callsBackReachTheWaitingCaller() throws Exception {
    assertThat(recurse(client, target, 200)).isEqualTo(200);
    assertThat(sum(20, 22)).isEqualTo(42);
  }

  @Test
  public void manyThreadsCallAtOnce() throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(32);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int caller = 0; caller < 32; caller++) {
        int base = caller * 1000;
        all.add(callers.submit(() -> callOften(base)));
      }
      for (Future<Boolean> each : all) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(serverNode.calls()).as("each call once").isEqualTo(32 * 200);
    } finally {
      callers.shutdownNow();
    }
  }

  private boolean callOften(int base) throws Exception {
    for (int i = 0; i < 100; i++) {
      if (sum(base, i) != base + i || !("n" + base + i).equals(echo("n" + base + i))) {
        return false;
      }
    }
    return true;
  }

  @Test
  public void callerWhoseFlagIsInterruptedIsServed() throws Exception {
    Thread.currentThread().interrupt();
    try {
      assertThat(sum(1, 2)).isEqualTo(3);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  public void calleeNoticesTheEndOfALine() throws Exception {
    try (Closeable line = client.openLine(target, Callee.METHODS, WATCH, Arguments.NONE)) {
      assertThat(line).isNotNull();
      assertThat(sum(1, 2)).as("a call beside the line").isEqualTo(3);
      assertThat(lineGone.getCount()).as("still open").isEqualTo(1);
    }
    assertThat(lineGone.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  public void lineThatIsRefusedIsNotOpened() {
    assertThatThrownBy(() -> client.openLine(target, Callee.METHODS, THROW, Arguments.NONE).close())
        .isInstanceOf(ThrownByCallee.class);
  }

  @Test
  public void futureIsCompletedWithTheOutcome() throws Exception {
    List<Future<Object>> echoes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      echoes.add(future(ECHO, objects("n" + i)));
    }
    for (int i = 0; i < 20; i++) {
      assertThat(echoes.get(i).get(20, TimeUnit.SECONDS)).isEqualTo("n" + i);
    }
    Future<Object> thrown = future(THROW, Arguments.NONE);
    assertThatThrownBy(() -> thrown.get(20, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("thrown by the method");
    Future<Object> unsent = future(ECHO, objects(new Object()));
    assertThatThrownBy(() -> unsent.get(20, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(MarshalException.class);
    server.close();
    Future<Object> unheard = future(ECHO, objects("nobody"));
    assertThatThrownBy(() -> unheard.get(20, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(RemoteException.class);
  }

  private Future<Object> future(int method, Arguments arguments) {
    return client.futureApplicationCall(target, Callee.METHODS, method, arguments, LOADER);
  }

  @Test
  public void whatIsSentAlongArrives() throws Exception {
    for (Map<String, String> header : List.of(Map.of("trace", "00-\u20AC", "", ""), NO_HEADER)) {
      Arguments withHeader =
          new Arguments() {
            @Override
            public Map<String, String> header() {
              return header;
            }

            @Override
            public void marshal(CallOutput out) throws IOException {
              out.writeObject(null);
            }
          };
      client.objectApplicationCall(target, Callee.METHODS, ECHO, withHeader, LOADER);
      assertThat(lastHeader).isEqualTo(header);
    }
  }

  @Test
  public void closedTechnologyAnswersNobody() throws Exception {
    assertThat(sum(1, 2)).isEqualTo(3);
    server.close();
    assertThatThrownBy(() -> sum(1, 2)).isInstanceOf(RemoteException.class);
    assertThat(serverNode.calls()).isEqualTo(1);
  }

  @Test
  public void listeningAgainGivesTheSameUtid() throws Exception {
    TechnologyId first = server.listen(0);
    assertThat(server.listen(0)).isEqualTo(first);
    assertThat(first.technology()).isEqualTo(server.name());
    assertThat(client.reaches(first)).isTrue();
    assertThat(client.reaches(new TechnologyId("nobody's", first.address()))).isFalse();
  }

  @Test
  public void utidThatHasTravelledStillReaches() throws Exception {
    TechnologyId copy =
        new TechnologyId(target.technology(0).technology(), target.technology(0).address());
    ObjectId same = new ObjectId(target.node(), target.number(), copy);
    assertThat(
            (int)
                client.bitsApplicationCall(
                    Integer.BYTES, same, Callee.METHODS, SUM, ints(2, 3), LOADER))
        .isEqualTo(5);
  }

  /** A value that comes back equal. */
  private static final class Sound implements Serializable {
    private static final long serialVersionUID = 1;
    private final String text;

    Sound(String text) {
      this.text = text;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Sound && ((Sound) other).text.equals(text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /** A class that is first met after something unreadable. */
  private static final class Later implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** A class that can be written, but not read. */
  private static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(1);
    }

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IOException("refuses to be read");
    }
  }
}
