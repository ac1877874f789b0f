package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.After;
import org.junit.Test;

/** Messages that cannot be read, between others of the same lane that can. */
public class UnreadMessagesTest {
  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  record Good(int number) implements Serializable {}

  /** First seen, by the receiver, in a message that it cannot read. */
  record Late(int number, Serializable inner) implements Serializable {}

  record Question(Serializable content) implements Serializable {}

  static final class Missing implements Serializable {
    private static final long serialVersionUID = 1;
    final Serializable content;

    Missing(Serializable content) {
      this.content = content;
    }
  }

  static final class Failing implements Serializable {
    private static final long serialVersionUID = 1;
    final boolean error;
    final Serializable content;

    Failing(boolean error, Serializable content) {
      this.error = error;
      this.content = content;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (error) {
        throw new AssertionError("readObject has failed");
      }
      throw new IllegalStateException("readObject has failed");
    }
  }

  /** Has fields that its writeObject method does not write: no reader without it can know. */
  static final class Careless implements Serializable {
    private static final long serialVersionUID = 1;
    long field = 1;
    Object other = "other";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(7);
      out.writeObject(new Late(0, null));
    }

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IllegalStateException("readObject has failed");
    }
  }

  private static final int MESSAGES = 3_000;

  /** Sends good and bad messages in turn through one lane; the good ones arrive, in order. */
  private List<Integer> numbersThatArrive(IntFunction<Serializable> bad) throws Exception {
    List<Integer> arrived = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch last = new CountDownLatch(1);
    b.messaging.receive(
        Late.class,
        (message, from) -> {
          if (last.getCount() > 0) {
            arrived.add(message.number());
          }
          if (message.number() == MESSAGES) {
            last.countDown();
          }
        });
    Address to = b.messaging.address();
    for (int i = 0; i < MESSAGES; i++) {
      if (i % 3 == 0) {
        a.messaging.sendOrdered(bad.apply(i), to);
      } else {
        a.messaging.sendOrdered(new Late(i, new Good(i)), to);
      }
    }
    while (!last.await(1, TimeUnit.MILLISECONDS)) {
      a.messaging.sendOrdered(new Late(MESSAGES, null), to);
    }
    return arrived;
  }

  private void allOthersArrive(IntFunction<Serializable> bad) throws Exception {
    List<Integer> arrived = numbersThatArrive(bad);
    int next = 0;
    for (int i = 0; i < MESSAGES; i++) {
      if (i % 3 != 0) {
        assertThat(arrived.get(next++)).isEqualTo(i);
      }
    }
    assertThat(b.messaging.counters()).containsEntry("messagesUnread", MESSAGES / 3L);
    assertThat(b.openLinks()).isEqualTo(1);
  }

  @Test
  public void missingClassHarmsNoOtherMessage() throws Exception {
    b.missing.add(Missing.class.getName());
    allOthersArrive(i -> new Missing(new Late(i, new Good(i))));
  }

  @Test
  public void refusalByFilterHarmsNoOtherMessage() throws Exception {
    b.filter =
        info ->
            info.serialClass() == Missing.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
    allOthersArrive(i -> new Missing(new Late(i, new Good(i))));
  }

  @Test
  public void exceptionOfReadObjectHarmsNoOtherMessage() throws Exception {
    allOthersArrive(i -> new Failing(false, new Late(i, new Good(i))));
  }

  @Test
  public void errorOfReadObjectHarmsNoOtherMessage() throws Exception {
    allOthersArrive(i -> new Failing(true, new Late(i, new Good(i))));
  }

  @Test
  public void largeMessageThatCannotBeReadHarmsNoOther() throws Exception {
    allOthersArrive(
        i -> new Failing(false, i % 300 == 0 ? new byte[200_000] : new Late(i, new Good(i))));
  }

  /** Some are lost with it, until the sender has begun with fresh types; none is read wrongly. */
  @Test
  public void messageWhoseEndCannotBeToldHasTheLaneBeginAnew() throws Exception {
    List<Integer> arrived =
        numbersThatArrive(
            i -> i % 300 == 0 ? new Careless() : new Failing(false, new Late(i, new Good(i))));
    assertThat(arrived).isSorted().endsWith(MESSAGES);
    assertThat(arrived).allMatch(number -> number % 3 != 0 || number == MESSAGES);
    assertThat(b.openLinks()).isEqualTo(1);
  }

  @Test
  public void requestThatCannotBeReadFailsAndTheNextIsAnswered() throws Exception {
    b.missing.add(Missing.class.getName());
    b.messaging.answer(Question.class, (question, from) -> question.content());
    Address to = b.messaging.address();
    for (int i = 0; i < 300; i++) {
      CompletableFuture<Object> bad =
          a.messaging.request(new Question(new Missing(new Late(i, null))), to);
      CompletableFuture<Object> good = a.messaging.request(new Question(new Late(i, null)), to);
      assertThatThrownBy(() -> bad.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(UnmarshalException.class)
          .hasCauseInstanceOf(ClassNotFoundException.class);
      assertThat(good.get(30, TimeUnit.SECONDS)).isEqualTo(new Late(i, null));
    }
  }

  @Test
  public void answerThatCannotBeReadFailsItsRequestOnly() throws Exception {
    a.filter =
        info ->
            info.serialClass() == Missing.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
    b.messaging.answer(
        Good.class,
        (question, from) ->
            question.number() % 2 == 0
                ? new Missing(new Late(question.number(), null))
                : new Late(question.number(), null));
    List<CompletableFuture<Object>> answers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      answers.add(a.messaging.request(new Good(i), b.messaging.address()));
    }
    for (int i = 0; i < 1_000; i++) {
      CompletableFuture<Object> answer = answers.get(i);
      if (i % 2 == 0) {
        assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
            .cause()
            .isInstanceOf(UnmarshalException.class)
            .hasCauseInstanceOf(InvalidClassException.class);
      } else {
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(new Late(i, null));
      }
    }
  }
}
