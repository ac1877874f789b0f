package io.karmi.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.FailingTechnology.Fault;
import io.karmi.connection.call.FrameHeader;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.technology.Alternatives;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.InCall;
import io.karmi.technology.NotConnectedException;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Calls over idle connections that fail while they are sent: which of them are made again, over a
 * fresh connection or another technology, and which may have been executed.
 */
public class SentInDoubtTest {
  private static final ClassLoader LOADER = SentInDoubtTest.class.getClassLoader();

  /** Long enough to leave in several parts. */
  private static final int LONG_BYTES = 4 * FrameHeader.PART_BYTES;

  private final NodeId other = NodeId.random();
  private final Caller caller = new Caller();
  private final FailingTechnology sure = new FailingTechnology("sure", caller, other, false);
  private final FailingTechnology doubtful = new FailingTechnology("doubtful", caller, other, true);
  private final FailingTechnology second = new FailingTechnology("second", caller, other, false);

  private final Others others = new Others();

  @Before
  public void nameAlternatives() {
    sure.replaceBy(others);
    doubtful.replaceBy(others);
  }

  @After
  public void close() {
    sure.close();
    doubtful.close();
    second.close();
  }

  /** The technology for when another one fails. */
  private static final class Others implements Alternatives {
    volatile @Nullable FailingTechnology best;

    @Override
    public boolean exist(Technology technology, ObjectId target) {
      return best != null;
    }

    @Override
    public boolean isToConnect(Technology technology, ObjectId target) {
      return true;
    }

    @Override
    public Technology after(ApplicationCalls failed, ObjectId target, NotConnectedException why)
        throws RemoteException {
      FailingTechnology next = best;
      if (next == null) {
        throw Alternatives.reason(target, why);
      }
      return next;
    }
  }

  /** The node that calls, and calls again what calls it back. */
  private final class Caller implements UpCall {
    private final Callee callee =
        new Callee(
            (call, in, out) -> {
              in.readInt();
              in.endArguments();
              Nodes.next(sure, target(), 3);
            });

    @Override
    public NodeId node() {
      return callee.node();
    }

    @Override
    public List<CallFormat> formats() {
      return callee.formats();
    }

    @Override
    public RemoteTranslation translation() {
      return callee.translation();
    }

    @Override
    public void doApplicationCall(InCall call) throws IOException {
      callee.doApplicationCall(call);
    }
  }

  /** The object of the other node, which has all ways. */
  private ObjectId target() {
    return new ObjectId(other, Callee.OBJECT, sure.way(), doubtful.way(), second.way());
  }

  private static void callLong(FailingTechnology over, ObjectId target) throws Exception {
    Arguments bytes =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeObject(new byte[LONG_BYTES]);
          }
        };
    over.bitsApplicationCall(Integer.BYTES, target, Callee.METHODS, 0, bytes, LOADER);
  }

  private static CompletableFuture<Object> future(FailingTechnology over, ObjectId target) {
    return over.futureApplicationCall(target, Callee.METHODS, 1, Arguments.NONE, LOADER);
  }

  /** Makes a call that is answered, so that there is an idle connection; the next one fails. */
  private static ObjectId warm(FailingTechnology technology, ObjectId target, Fault fault)
      throws Exception {
    assertThat(Nodes.next(technology, target, 1)).isZero();
    assertThat(technology.dialled).hasValue(1);
    technology.next = fault;
    return target;
  }

  @Test
  public void callThatWasSurelyNotSentIsMadeAgainOverAFreshConnection() throws Exception {
    ObjectId target = warm(sure, target(), Fault.BEFORE_LAST_BYTES);
    assertThat(Nodes.next(sure, target, 2)).isZero();
    assertThat(sure.executed).as("with the first call").hasValue(2);
    assertThat(sure.dialled).hasValue(2);
  }

  @Test
  public void callThatMayHaveBeenSentIsNotMadeAgain() throws Exception {
    ObjectId target = warm(doubtful, target(), Fault.AFTER_LAST_BYTES);
    assertThatThrownBy(() -> Nodes.next(doubtful, target, 2))
        .isInstanceOf(UnmarshalException.class);
    assertThat(doubtful.executed).as("with the first call").hasValue(2);
    assertThat(doubtful.dialled).hasValue(1);
    doubtful.next = Fault.NONE;
    assertThat(Nodes.next(doubtful, target, 3)).as("a new call").isZero();
    assertThat(doubtful.dialled).as("the connection in doubt is used no more").hasValue(2);
    doubtful.next = Fault.BEFORE_LAST_BYTES;
    assertThatThrownBy(() -> Nodes.next(doubtful, target, 4))
        .as("though it was not sent, which this end does not know")
        .isInstanceOf(UnmarshalException.class);
    assertThat(doubtful.executed).hasValue(3);
  }

  @Test
  public void callWhoseChannelKnowsThatNothingWasSentIsMadeAgain() throws Exception {
    ObjectId target = warm(doubtful, target(), Fault.KNOWN_BEFORE_LAST_BYTES);
    assertThat(Nodes.next(doubtful, target, 2)).isZero();
    assertThat(doubtful.executed).hasValue(2);
    assertThat(doubtful.dialled).hasValue(2);
  }

  @Test
  public void callOfWhichOnlyTheFirstPartsHaveLeftIsMadeAgain() throws Exception {
    ObjectId target = warm(doubtful, target(), Fault.IN_AN_EARLIER_PART);
    callLong(doubtful, target);
    assertThat(doubtful.executed).hasValue(2);
    assertThat(doubtful.dialled).hasValue(2);
  }

  @Test
  public void callWhoseReplyIsLostIsNotMadeAgain() throws Exception {
    ObjectId target = warm(sure, target(), Fault.BEFORE_REPLY);
    assertThatThrownBy(() -> Nodes.next(sure, target, 2)).isInstanceOf(UnmarshalException.class);
    assertThat(sure.executed).hasValue(2);
    assertThat(sure.dialled).hasValue(1);
  }

  @Test
  public void callIsNotMadeAgainWhereACallThatACallBackHasMadeWasNotSent() throws Exception {
    ObjectId target = warm(sure, target(), Fault.AFTER_CALL_BACK);
    assertThatThrownBy(() -> Nodes.next(sure, target, 2)).isInstanceOf(UnmarshalException.class);
    assertThat(caller.callee.calls()).as("calls back").isOne();
    assertThat(sure.executed).as("with the first call").hasValue(2);
    assertThat(sure.dialled).hasValue(1);
  }

  @Test
  public void futureThatWasSurelyNotSentIsMadeAgain() throws Exception {
    ObjectId target = warm(sure, target(), Fault.BEFORE_LAST_BYTES);
    sure.callsReturnObjects = true;
    assertThat(future(sure, target).get(60, TimeUnit.SECONDS)).isNull();
    assertThat(sure.executed).hasValue(2);
    assertThat(sure.dialled).hasValue(2);
  }

  @Test
  public void futureThatMayHaveBeenSentIsNotMadeAgain() throws Exception {
    ObjectId target = warm(doubtful, target(), Fault.AFTER_LAST_BYTES);
    doubtful.callsReturnObjects = true;
    CompletableFuture<Object> inDoubt = future(doubtful, target);
    assertThatThrownBy(() -> inDoubt.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnmarshalException.class);
    assertThat(doubtful.executed).as("with the first call").hasValue(2);
    assertThat(doubtful.dialled).hasValue(1);
  }

  @Test
  public void callThatWasSurelyNotSentIsMadeOverTheNextTechnology() throws Exception {
    others.best = second;
    ObjectId target = warm(sure, target(), Fault.BEFORE_LAST_BYTES);
    sure.reachable = false;
    assertThat(Nodes.next(sure, target, 2)).isZero();
    assertThat(sure.executed).as("the first call").hasValue(1);
    assertThat(second.executed).hasValue(1);
    second.callsReturnObjects = true;
    assertThat(future(sure, target).get(60, TimeUnit.SECONDS)).isNull();
    assertThat(second.executed).hasValue(2);
  }

  @Test
  public void callThatMayHaveBeenSentIsNotMadeOverAnotherTechnology() throws Exception {
    others.best = second;
    ObjectId target = warm(doubtful, target(), Fault.AFTER_LAST_BYTES);
    doubtful.reachable = false;
    assertThatThrownBy(() -> Nodes.next(doubtful, target, 2))
        .isInstanceOf(UnmarshalException.class);
    assertThat(doubtful.executed).as("with the first call").hasValue(2);
    assertThat(second.executed).hasValue(0);
    assertThat(second.dialled).hasValue(0);
  }

  @Test
  public void futureThatMayHaveBeenSentIsNotMadeOverAnotherTechnology() throws Exception {
    others.best = second;
    ObjectId target = warm(doubtful, target(), Fault.AFTER_LAST_BYTES);
    doubtful.reachable = false;
    CompletableFuture<Object> inDoubt = future(doubtful, target);
    assertThatThrownBy(() -> inDoubt.get(60, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnmarshalException.class);
    assertThat(doubtful.executed).as("with the first call").hasValue(2);
    assertThat(second.executed).hasValue(0);
  }
}
