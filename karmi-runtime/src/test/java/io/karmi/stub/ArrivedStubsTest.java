package io.karmi.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
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

  /** One of many. */
  public interface H extends Remote {
    /** Does nothing. */
    void h() throws RemoteException;
  }

  /** One of many. */
  public interface I extends Remote {
    /** Does nothing. */
    void i() throws RemoteException;
  }

  /** One of many. */
  public interface J extends Remote {
    /** Does nothing. */
    void j() throws RemoteException;
  }

  private static final List<Class<?>> ALL =
      List.of(A.class, B.class, C.class, D.class, E.class, F.class, G.class);

  /** More, so that most of their sets are forgotten. */
  private static final List<Class<?>> MANY =
      Stream.concat(ALL.stream(), Stream.of(H.class, I.class, J.class)).toList();

  /** How many types that peers have named one interface keeps alive. */
  private static final int MOST_KEPT = 16;

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
    Deadline.awaitCollecting(
        "most of the classes are unloaded",
        () -> made.stream().filter(each -> each.get() == null).count() > made.size() / 3);
  }

  private List<WeakReference<Class<?>>> stubsOfAllSets(List<Class<?>> of) throws IOException {
    List<WeakReference<Class<?>>> made = new ArrayList<>();
    for (int set = 1; set < 1 << of.size(); set++) {
      List<Class<?>> interfaces = new ArrayList<>();
      for (int i = 0; i < of.size(); i++) {
        if ((set & 1 << i) != 0) {
          interfaces.add(of.get(i));
        }
      }
      if (interfaces.size() > 1) {
        made.add(new WeakReference<>(stub(interfaces).getClass()));
      }
    }
    return made;
  }

  @Test
  public void classesOfAllSetsOfInterfacesAreNeverMoreThanEachInterfaceKeeps() throws Exception {
    List<WeakReference<Class<?>>> made = stubsOfAllSets(MANY);
    assertThat(made).hasSizeGreaterThan(6 * MOST_KEPT * MANY.size());
    made.addAll(stubsOfAllSets(MANY));
    Deadline.awaitCollecting(
        "all classes but those that are kept are unloaded",
        () ->
            made.stream().map(Reference::get).filter(Objects::nonNull).distinct().count()
                <= MOST_KEPT * MANY.size());
  }

  /** One that only its package sees. */
  interface HiddenA extends Remote {
    void a() throws RemoteException;
  }

  private static final int MOST_LASTING = 256;

  /** Classes that see an interface that is not public live in its loader, as long as that does. */
  @Test
  public void listsWhoseClassesCannotBeUnloadedAreBounded() throws Exception {
    List<Class<?>> first = null;
    int refused = 0;
    Set<Class<?>> classes = new HashSet<>();
    for (int set = 1; set < 1 << ALL.size() + 2; set++) {
      List<Class<?>> interfaces = new ArrayList<>(List.of(HiddenA.class));
      for (int i = 0; i < ALL.size() + 2; i++) {
        if ((set & 1 << i) != 0) {
          interfaces.add(MANY.get(i));
        }
      }
      try {
        classes.add(stub(interfaces).getClass());
        first = first == null ? interfaces : first;
      } catch (InvalidObjectException e) {
        assertThat(e).hasMessageContaining("256 lists").hasMessageContaining("not public");
        refused++;
      }
    }
    assertThat(classes).hasSizeLessThanOrEqualTo(MOST_LASTING);
    assertThat(refused).isEqualTo((1 << ALL.size() + 2) - 1 - MOST_LASTING);
    assertThat(stub(first)).as("one that has come before").isInstanceOf(HiddenA.class);
    assertThat(stub(List.of(HiddenA.class))).isInstanceOf(HiddenA.class);
    assertThat(stub(ALL)).as("public ones alone").isInstanceOf(A.class);
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
