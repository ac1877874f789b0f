package io.karmi.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.JdkFormat;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.reference.Skeleton;
import io.karmi.stubgen.emit.ClassFile;
import io.karmi.stubgen.emit.Emitter;
import io.karmi.stubgen.model.ReflectedClass;
import io.karmi.stubgen.model.RemoteModel;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

/** What is no string, box or array of primitives is not read where one of them is declared. */
@RunWith(Parameterized.class)
public class ExactTypesTest {
  private static final AtomicInteger EVIL_READ = new AtomicInteger();

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final CallFormat format;
  private Node node;
  private final List<Remote> exported = new ArrayList<>();

  public ExactTypesTest(CallFormat format) {
    this.format = format;
  }

  @Parameterized.Parameters
  public static Object[] formats() {
    return new Object[] {new UkaFormat(), new JdkFormat()};
  }

  /** Notes that its content was read. */
  public static final class Evil implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      EVIL_READ.incrementAndGet();
    }
  }

  /** A method for each type, and some for what comes between. */
  public interface Exact extends Remote {
    /** Takes and returns a string. */
    String string(String value) throws RemoteException;

    /** Takes and returns a box. */
    Integer integer(Integer value) throws RemoteException;

    /** Takes and returns another box. */
    Boolean bool(Boolean value) throws RemoteException;

    /** Takes and returns an array. */
    int[] ints(int[] value) throws RemoteException;

    /** Takes and returns another array. */
    byte[] bytes(byte[] value) throws RemoteException;

    /** All of them, with objects between. */
    String mixed(Object a, String b, Long c, String d, double[] e, Object f, Character g, Long h)
        throws RemoteException;
  }

  /** Gives back what it gets. */
  public static final class Echo implements Exact {
    @Override
    public String string(String value) {
      return value;
    }

    @Override
    public Integer integer(Integer value) {
      return value;
    }

    @Override
    public Boolean bool(Boolean value) {
      return value;
    }

    @Override
    public int[] ints(int[] value) {
      return value;
    }

    @Override
    public byte[] bytes(byte[] value) {
      return value;
    }

    @Override
    public String mixed(
        Object a, String b, Long c, String d, double[] e, Object f, Character g, Long h) {
      return "" + a + b + c + d + (e == null ? null : e.length) + f + g + h;
    }
  }

  @Before
  public void openNode() {
    node = new Node(List.of(format));
    EVIL_READ.set(0);
  }

  @After
  public void closeNode() throws RemoteException {
    for (Remote each : exported) {
      node.unexport(each, true);
    }
    node.close();
  }

  private Map<String, Skeleton> skeletons() throws Exception {
    StubType type = StubTypes.of(Exact.class);
    RemoteModel model = RemoteModel.ofInterfaces(ReflectedClass.all(Exact.class));
    return Map.of(
        "generated", type.makeSkeleton(),
        "made by karmic", madeByKarmic(model, type.remoteInterface()),
        "reflective",
            new ReflectiveSkeleton(
                type.remoteInterface(), new Class<?>[] {Exact.class}, model.methods()));
  }

  /** As karmic writes it: the same emitter, a class file, a loader that finds it. */
  private Skeleton madeByKarmic(RemoteModel model, RemoteInterface methods) throws Exception {
    ClassFile made = Emitter.skeleton(model);
    Path file = folder.getRoot().toPath().resolve(made.name().replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    Files.write(file, made.bytes());
    URL[] folders = {folder.getRoot().toURI().toURL()};
    try (URLClassLoader loader = new URLClassLoader(folders, getClass().getClassLoader())) {
      return (Skeleton)
          loader.loadClass(made.name()).getConstructor(RemoteInterface.class).newInstance(methods);
    }
  }

  private Exact export(Skeleton skeleton) throws IOException {
    Echo object = new Echo();
    exported.add(object);
    return (Exact) node.export(object, skeleton, StubTypes.of(Exact.class), 0, null).stub();
  }

  private static Object send(Exact stub, String name, Object value) throws Exception {
    Method method = null;
    int number = -1;
    for (Method each : Exact.class.getMethods()) {
      if (each.getName().equals(name)) {
        method = each;
      }
    }
    ClientRef reference = (ClientRef) ((java.rmi.server.RemoteObject) stub).getRef();
    RemoteInterface methods = reference.remoteInterface();
    for (int i = 0; i < methods.methodCount(); i++) {
      if (methods.methodName(i).startsWith(name + "(")) {
        number = i;
      }
    }
    return reference.invoke(stub, method, new Object[] {value}, methods.methodHash(number));
  }

  @Test
  public void whatIsDeclaredArrives() throws Exception {
    for (Map.Entry<String, Skeleton> each : skeletons().entrySet()) {
      Exact stub = export(each.getValue());
      for (int round = 0; round < 3; round++) {
        assertThat(stub.string("text")).as(each.getKey()).isEqualTo("text");
        assertThat(stub.string("x".repeat(70_000))).hasSize(70_000);
        assertThat(stub.string(null)).isNull();
        assertThat(stub.integer(-7)).isEqualTo(-7);
        assertThat(stub.integer(null)).isNull();
        assertThat(stub.bool(true)).isTrue();
        assertThat(stub.ints(new int[] {1, 2})).containsExactly(1, 2);
        assertThat(stub.ints(null)).isNull();
        assertThat(stub.bytes(new byte[100_000])).hasSize(100_000);
        assertThat(
                stub.mixed(List.of("o"), "s", 5L, "s", new double[3], Map.of(1, 2), 'c', 1L << 40))
            .isEqualTo("[o]s5s3{1=2}c1099511627776");
        String same = "same";
        Long number = 9L;
        assertThat(stub.mixed(same, same, number, same, null, same, null, number))
            .isEqualTo("samesame9samenullsamenull9");
      }
    }
  }

  @Test
  public void nothingElseIsMadeOfAnArgument() throws Exception {
    Object[] others = {
      new Evil(),
      new Object[] {new Evil()},
      new ArrayList<>(List.of(new Evil())),
      new Evil[] {new Evil()},
      Map.of("evil", new Evil()),
      Thread.State.NEW,
      Evil.class
    };
    for (Map.Entry<String, Skeleton> each : skeletons().entrySet()) {
      Exact stub = export(each.getValue());
      for (String method : List.of("string", "integer", "bool", "ints", "bytes")) {
        for (Object other : others) {
          assertThatThrownBy(() -> send(stub, method, other))
              .as(each.getKey() + " " + method + " " + other)
              .isInstanceOf(ClassCastException.class);
          assertThat(stub.string("goes on")).isEqualTo("goes on");
        }
      }
      assertThatThrownBy(() -> send(stub, "string", new Evil()))
          .hasMessageContaining("Cannot cast an object to java.lang.String");
      assertThatThrownBy(() -> send(stub, "integer", "text"))
          .isInstanceOf(ClassCastException.class);
      assertThatThrownBy(() -> send(stub, "ints", new byte[1]))
          .isInstanceOf(ClassCastException.class);
    }
    assertThat(EVIL_READ).hasValue(0);
  }

  @Test
  public void nothingElseIsMadeOfAnArgumentThoughTheConnectionKnowsItsClass() throws Exception {
    Exact stub = export(StubTypes.of(Exact.class).makeSkeleton());
    assertThat(stub.mixed(new Evil(), null, null, null, null, null, null, null)).isNotNull();
    assertThat(EVIL_READ).hasValue(1);
    for (String method : List.of("string", "integer", "ints")) {
      assertThatThrownBy(() -> send(stub, method, new Evil()))
          .isInstanceOf(ClassCastException.class);
    }
    assertThat(EVIL_READ).hasValue(1);
  }

  @Test
  public void nothingElseIsMadeOfAResult() throws Exception {
    Exact stub = export(new Lying(StubTypes.of(Exact.class).remoteInterface()));
    assertThatThrownBy(() -> stub.string("a")).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> stub.integer(1)).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> stub.ints(null)).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> send(stub, "string", "a")).isInstanceOf(ClassCastException.class);
    assertThat(EVIL_READ).hasValue(0);
  }

  /** Answers each call with what no signature says. */
  private static final class Lying extends Skeleton {
    Lying(RemoteInterface methods) {
      super(methods);
    }

    @Override
    public void upCall(Remote target, int methodNumber, CallInput in, CallOutput out)
        throws Throwable {
      in.readObject();
      in.endArguments();
      out.beginResult();
      out.writeObject(new Evil());
    }
  }
}
