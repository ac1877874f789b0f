package io.karmi.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledger;
import java.rmi.AccessException;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.Registry;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

public class CountedBindingsTest {
  private static final int MOST_BYTES = 32 << 20;
  private static final int CALL_BYTES = 2_000_000;

  private final Remote object = new Remote() {};
  private final Table table = new Table();
  private final CountedBindings bindings =
      new CountedBindings(new Ledger("32 MB", MOST_BYTES, Ledger.Weakest.NONE));

  /** A registry without a network. */
  private static final class Table implements Registry {
    final Map<String, Remote> bound = new HashMap<>();

    @Override
    public Remote lookup(String name) {
      return bound.get(name);
    }

    @Override
    public void bind(String name, Remote object) throws AlreadyBoundException {
      if (bound.putIfAbsent(name, object) != null) {
        throw new AlreadyBoundException(name);
      }
    }

    @Override
    public void rebind(String name, Remote object) {
      bound.put(name, object);
    }

    @Override
    public void unbind(String name) throws NotBoundException {
      if (bound.remove(name) == null) {
        throw new NotBoundException(name);
      }
    }

    @Override
    public String[] list() {
      return bound.keySet().toArray(new String[0]);
    }
  }

  /** A call whose arguments take {@link #CALL_BYTES}. */
  private Registry call() {
    Registry registry = bindings.during(table);
    assertThat(new byte[CALL_BYTES]).hasSize(CALL_BYTES);
    return registry;
  }

  private int fill() {
    int count = 0;
    try {
      for (; count < MOST_BYTES / CALL_BYTES; count++) {
        call().rebind("name " + count, object);
      }
    } catch (AccessException e) {
      assertThat(e).hasMessageContaining("no memory for one more name of this JVM");
      return count;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("nothing was refused");
  }

  @Test
  public void bindingsTakeNoMoreThanTheirShare() throws Exception {
    int count = fill();
    assertThat(count).isBetween(1, MOST_BYTES / CALL_BYTES - 1);
    assertThat(table.bound).as("what was refused is not bound").hasSize(count);
    assertThatThrownBy(() -> call().bind("one more", object)).isInstanceOf(AccessException.class);
    assertThat(table.bound).doesNotContainKey("one more");
    assertThatThrownBy(() -> call().bind("name 0", object))
        .isInstanceOf(AlreadyBoundException.class);
  }

  @Test
  public void whatIsUnboundCountsNoMore() throws Exception {
    fill();
    call().unbind("name 0");
    call().bind("in its place", object);
    table.bound.clear();
    call().bind("what the program has unbound counts no more", object);
    assertThat(fill()).isPositive();
  }

  @Test
  public void bindingAgainCountsOnce() throws Exception {
    for (int i = 0; i < 10 * MOST_BYTES / CALL_BYTES; i++) {
      call().rebind("name", object);
    }
    assertThat(table.bound).hasSize(1);
  }
}
