package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.marshal.UkaFormat;
import io.karmi.technology.InCall;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** A peer that answers what the runtime asks on its own account makes it read no other objects. */
public class AnswersTest {
  private static final AtomicInteger READ = new AtomicInteger();

  private final LoopbackNodes nodes = new LoopbackNodes();
  private final Node client = nodes.open();

  /** Counts how often one is read. */
  private static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      READ.incrementAndGet();
    }
  }

  /** An exception with a gadget in it. */
  private static final class Thrown extends Exception {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("unused") // read by the victim
    private final Gadget gadget = new Gadget();
  }

  @After
  public void close() {
    nodes.close();
  }

  /** An object of a node that answers every call with the same. */
  private ObjectId answering(Object answer, boolean thrown) {
    Node honest = nodes.alone();
    UpCall forged =
        new UpCall() {
          @Override
          public NodeId node() {
            return honest.id();
          }

          @Override
          public List<CallFormat> formats() {
            return List.of(new UkaFormat());
          }

          @Override
          public RemoteTranslation translation() {
            return honest.upCall().translation();
          }

          @Override
          public void doApplicationCall(InCall call) throws IOException {
            call.in().abandonMessage();
            if (thrown) {
              Replies.thrown(call, (Throwable) answer);
            } else {
              call.out().beginResult();
              call.out().writeObject(answer);
            }
          }
        };
    TechnologyId end = new LoopbackTechnology(forged).listen(0);
    return new ObjectId(honest.id(), ObjectId.INSPECTION, end);
  }

  private void assertRefused(Asking asking, Object answer, boolean thrown) {
    int before = READ.get();
    ObjectId target = answering(answer, thrown);
    assertThatThrownBy(() -> asking.ask(target)).isInstanceOf(IOException.class);
    assertThat(READ).as("gadgets read").hasValue(before);
  }

  private interface Asking {
    void ask(ObjectId target) throws Exception;
  }

  private void assertRefused(Asking asking) {
    assertRefused(asking, new Gadget(), false);
    assertRefused(asking, new Object[] {"a line", new Gadget()}, false);
    assertRefused(asking, new Thrown(), true);
  }

  @Test
  public void tablesAreLines() throws Exception {
    assertRefused(target -> Inspection.ask(client, target, Inspection.METHODS));
    String[] lines = {"a line", "another"};
    assertThat(Inspection.ask(client, answering(lines, false), Inspection.METHODS))
        .containsExactly(lines);
  }

  @Test
  public void waysAreLines() {
    assertRefused(target -> Inspection.ask(client, target, Inspection.WAYS));
  }

  @Test
  public void pingIsAnsweredByNothingOrByAnException() throws Exception {
    assertRefused(target -> new Probe(client).ping(target.technology(0)), new Thrown(), true);
    new Probe(client).ping(answering(new java.rmi.ServerException("no ping"), true).technology(0));
  }

  @Test
  public void collectorsAnswerByNumbers() {
    CollectorCalls calls = new CollectorCalls(client, "lease");
    assertRefused(target -> calls.send(target, new long[] {1, 2, 3}, 60_000), new Thrown(), true);
  }
}
