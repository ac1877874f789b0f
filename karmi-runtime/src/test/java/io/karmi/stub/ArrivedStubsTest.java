package io.karmi.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.dgc.Await;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.Test;

/** Stubs whose interfaces a peer names in ever new lists. */
public class ArrivedStubsTest {
  private final Node node = new Node(List.of(new UkaFormat()));
  private final ClientRef reference = node.locate("localhost", 4711, 7);

  /** One of many. */
  public interface A extends Remote {
    /** Does nothing. */
    void a() throws RemoteException;
  }

  /** One of many. */
  public interface B extends Remote {
    /** Does nothing. */
    void b() throws RemoteException;
  }

  /** One of many. */
  public interface C extends Remote {
    /** Does nothing. */
    void c() throws RemoteException;
  }

  /** One of many. */
  public interface D extends Remote {
    /** Does nothing. */
    void d() throws RemoteException;
  }

  /** One of many. */
  public interface E extends Remote {
    /** Does nothing. */
    void e() throws RemoteException;
  }

  /** One of many. */
  public interface F extends Remote {
    /** Does nothing. */
    void f() throws RemoteException;
  }

  /** One of many. */
  public interface G extends Remote {
    /** Does nothing. */
    void g() throws RemoteException;
  }

  private static final List<Class<?>> ALL =
      List.of(A.class, B.class, C.class, D.class, E.class, F.class, G.class);

  private Remote stub(List<Class<?>> interfaces) throws IOException {
    return StubTypes.makeStub(reference, null, interfaces.toArray(new Class<?>[0]));
  }

  @Test
  public void ordersOfTheSameInterfacesShareTheirClasses() throws Exception {
    Random random = new Random(5);
    Set<Class<?>> classes = new HashSet<>();
    for (int i = 0; i < 500; i++) {
      List<Class<?>> order = new ArrayList<>(ALL);
      Collections.shuffle(order, random);
      Remote stub = stub(order);
      assertThat(stub.getClass().getInterfaces()).containsExactlyInAnyOrderElementsOf(ALL);
      classes.add(stub.getClass());
    }
    assertThat(classes).hasSizeBetween(2, 9);
  }

  @Test
  public void firstOrdersAreKeptAsNamed() throws Exception {
    List<Class<?>> order = List.of(D.class, A.class, C.class);
    assertThat(stub(order).getClass().getInterfaces()).containsExactlyElementsOf(order);
    assertThat(stub(order).getClass()).isSameAs(stub(order).getClass());
  }

  @Test
  public void classesOfListsThatNobodyUsesAreUnloaded() throws Exception {
    List<WeakReference<Class<?>>> made = new ArrayList<>();
    for (int set = 1; set < 1 << ALL.size(); set++) {
      List<Class<?>> interfaces = new ArrayList<>();
      for (int i = 0; i < ALL.size(); i++) {
        if ((set & 1 << i) != 0) {
          interfaces.add(ALL.get(i));
        }
      }
      if (interfaces.size() > 1) {
        Collections.reverse(interfaces);
        made.add(new WeakReference<>(stub(interfaces).getClass()));
        Collections.rotate(interfaces, 1);
        made.add(new WeakReference<>(stub(interfaces).getClass()));
        Collections.sort(interfaces, java.util.Comparator.comparing(Class::getName));
        made.add(new WeakReference<>(stub(interfaces).getClass()));
      }
    }
    Await.await(
        "most of the classes are unloaded",
        () -> made.stream().filter(each -> each.get() == null).count() > made.size() / 3);
  }

  /** Takes a stub. */
  public interface Taker extends Remote {
    /** Takes a stub. */
    String take(Object stub) throws RemoteException;
  }

  @Test
  public void filterOfTheCallSeesTheNamedInterfaces() throws Exception {
    ObjectInputFilter filter =
        info ->
            info.serialClass() == B.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
    Taker object = stub -> "taken";
    StubType type = StubTypes.of(Taker.class);
    Taker taker = (Taker) node.export(object, type.makeSkeleton(), type, 0, filter).stub();
    try {
      assertThat(taker.take(stub(List.of(A.class, C.class)))).isEqualTo("taken");
      assertThatThrownBy(() -> taker.take(stub(List.of(A.class, B.class))))
          .hasRootCauseInstanceOf(InvalidClassException.class);
    } finally {
      node.unexport(object, true);
    }
  }
}
