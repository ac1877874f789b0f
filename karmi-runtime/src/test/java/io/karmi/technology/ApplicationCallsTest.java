package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.Node;
import io.karmi.reference.Skeleton;
import io.karmi.stub.StubTypes;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.List;
import org.junit.Test;

/** What callers see of outcomes that no honest callee has. */
public class ApplicationCallsTest {
  /** Neither an Error nor an Exception. */
  public static final class Neither extends Throwable {
    private static final long serialVersionUID = 1;
  }

  /** Fails. */
  public interface Failing extends Remote {
    /** Fails. */
    Object fail() throws RemoteException;
  }

  private static void callWith(int outcome, Throwable thrown) throws Exception {
    Node node = new Node(List.of(new UkaFormat()));
    RemoteInterface methods = StubTypes.of(Failing.class).remoteInterface();
    Skeleton skeleton =
        new Skeleton(methods) {
          @Override
          public void upCall(Remote target, int methodNumber, CallInput in, CallOutput out)
              throws Throwable {
            in.endArguments();
            out.beginReply(outcome);
            out.writeObject(thrown);
          }
        };
    Failing object = () -> null;
    try {
      ((Failing) node.export(object, skeleton, StubTypes.of(Failing.class), 0, null).stub()).fail();
    } finally {
      node.unexport(object, true);
      node.close();
    }
  }

  @Test
  public void lostResultWhoseReasonIsNeitherErrorNorExceptionIsAnUnmarshalException() {
    assertThatThrownBy(() -> callWith(CallOutput.RESULT_LOST, new Neither()))
        .isInstanceOf(UnmarshalException.class)
        .hasRootCauseInstanceOf(Neither.class);
  }

  @Test
  public void thrownWhatIsNeitherErrorNorExceptionIsAnUnmarshalException() {
    assertThatThrownBy(() -> callWith(CallOutput.THROWN, new Neither()))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining("Return type not Exception");
  }

  @Test
  public void errorThrownByTheCalleeIsNoErrorOfTheCaller() {
    assertThatThrownBy(() -> callWith(CallOutput.THROWN, new StackOverflowError()))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining("Return type not Exception");
  }
}
