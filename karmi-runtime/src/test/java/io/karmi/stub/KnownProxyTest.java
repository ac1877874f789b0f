package io.karmi.stub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.marshal.UkaFormat;
import io.karmi.reference.Node;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.Test;

/** A proxy whose class the connection knows from a call of another object. */
public class KnownProxyTest {
  /** Takes anything. */
  public interface Taker extends Remote {
    /** Takes anything. */
    String take(Object anything) throws RemoteException;
  }

  private static final class Answering implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return method.getName().equals("hashCode") ? (Object) 1 : null;
    }
  }

  @Test
  public void filterIsAskedForItsInterfacesEachTime() throws Exception {
    Node node = new Node(List.of(new UkaFormat()));
    StubType type = StubTypes.of(Taker.class);
    ObjectInputFilter noCallables =
        info ->
            info.serialClass() == Callable.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
    Taker open = anything -> "taken";
    Taker closed = anything -> "taken";
    Taker toOpen = (Taker) node.export(open, type.makeSkeleton(), type, 0, null).stub();
    Taker toClosed = (Taker) node.export(closed, type.makeSkeleton(), type, 0, noCallables).stub();
    Object proxy =
        Proxy.newProxyInstance(
            KnownProxyTest.class.getClassLoader(),
            new Class<?>[] {Callable.class, Serializable.class},
            new Answering());
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(toOpen.take(proxy)).isEqualTo("taken");
        assertThatThrownBy(() -> toClosed.take(proxy))
            .hasRootCauseInstanceOf(InvalidClassException.class);
        assertThat(toOpen.take(proxy)).isEqualTo("taken");
        assertThat(toOpen.take(proxy)).isEqualTo("taken");
        assertThatThrownBy(() -> toClosed.take(proxy))
            .hasRootCauseInstanceOf(InvalidClassException.class);
      }
    } finally {
      node.unexport(open, true);
      node.unexport(closed, true);
      node.close();
    }
  }
}
