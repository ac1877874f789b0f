package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import java.io.Closeable;
import java.io.Flushable;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import org.junit.Test;

/** Classes of dynamic proxies that peers name. */
public class ProxyClassesTest {
  private static final List<Class<?>> INTERFACES =
      List.of(
          Serializable.class,
          Cloneable.class,
          RandomAccess.class,
          EventListener.class,
          Callable.class,
          Executor.class,
          Closeable.class,
          Flushable.class);

  private static final ClassLoader OWN = ProxyClassesTest.class.getClassLoader();

  private interface Hidden {}

  /** An order of the interfaces for each number. */
  private static String[] list(int number, Class<?>... first) {
    List<Class<?>> left = new ArrayList<>(INTERFACES);
    List<String> names = new ArrayList<>();
    for (Class<?> each : first) {
      names.add(each.getName());
    }
    int rest = number;
    while (!left.isEmpty()) {
      names.add(left.remove(rest % left.size()).getName());
      rest /= left.size() + 1;
    }
    return names.toArray(new String[0]);
  }

  @Test
  public void onlyAFewOfTheClassesThatPeersCauseStay() throws Exception {
    ProxyClasses proxies = new ProxyClasses();
    List<WeakReference<Class<?>>> made = new ArrayList<>();
    int many = 4 * ProxyClasses.MAXIMUM_LASTING;
    for (int i = 0; i < many; i++) {
      made.add(new WeakReference<>(proxies.find(list(i), OWN)));
    }
    Deadline.awaitCollecting(
        "further classes are unloaded",
        () ->
            made.stream().filter(each -> each.get() != null).count()
                <= ProxyClasses.MAXIMUM_LASTING);
  }

  @Test
  public void aListHasTheClassThatTheProgramHasForIt() throws Exception {
    Class<?> own =
        Proxy.newProxyInstance(OWN, new Class<?>[] {Callable.class}, (p, m, a) -> null).getClass();
    assertThat(new ProxyClasses().find(new String[] {Callable.class.getName()}, OWN)).isSameAs(own);
  }

  @Test
  public void furtherClassesImplementTheirInterfacesToo() throws Exception {
    ProxyClasses proxies = full();
    Class<?> further = proxies.find(new String[] {Runnable.class.getName()}, OWN);
    assertThat(Proxy.isProxyClass(further)).isTrue();
    assertThat(further.getInterfaces()).containsExactly(Runnable.class);
    assertThat(further.getClassLoader()).isNotSameAs(OWN);
  }

  @Test
  public void ofTypesThatAreNotPublicThereAreOnlyAFew() throws Exception {
    ProxyClasses proxies = new ProxyClasses();
    for (int i = 0; i < ProxyClasses.MAXIMUM_LASTING; i++) {
      proxies.find(list(i, Hidden.class), OWN);
    }
    assertThatThrownBy(() -> proxies.find(list(1_000, Hidden.class), OWN))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("not public");
    assertThat(proxies.find(list(0, Hidden.class), OWN).getInterfaces()).contains(Hidden.class);
  }

  private static ProxyClasses full() throws ClassNotFoundException {
    ProxyClasses proxies = new ProxyClasses();
    for (int i = 0; i < ProxyClasses.MAXIMUM_LASTING; i++) {
      proxies.find(list(i), OWN);
    }
    return proxies;
  }
}
