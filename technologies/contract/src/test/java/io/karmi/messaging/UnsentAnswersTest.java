package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.After;
import org.junit.Test;

/** Answers that cannot be sent, nor why: who asks is told at once, and the link goes on. */
public class UnsentAnswersTest {
  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  record Question(int number) implements Serializable {}

  /** An exception that cannot be marshalled, and has no text. */
  static final class Wordless extends RuntimeException {
    private static final long serialVersionUID = 1;
    final Object notSerializable = new Object();

    @Override
    public String toString() {
      throw new IllegalStateException("there is no text");
    }
  }

  /** An answer whose marshalling fails so. */
  static final class Unwritable implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(java.io.ObjectOutputStream out) {
      throw new Wordless();
    }
  }

  private void isTold(Supplier<Object> answer) throws Exception {
    CompletableFuture<String> open = new CompletableFuture<>();
    b.messaging.answer(
        Question.class, (question, from) -> question.number() == 0 ? open : answer.get());
    CompletableFuture<Object> before = a.messaging.request(new Question(0), b.messaging.address());
    CompletableFuture<Object> failed = a.messaging.request(new Question(1), b.messaging.address());
    assertThatThrownBy(() -> failed.get(20, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("no answer can be sent")
        .hasMessageContaining(Wordless.class.getName());
    open.complete("done");
    assertThat(before.get(20, TimeUnit.SECONDS)).isEqualTo("done");
  }

  @Test
  public void exceptionOfAHandlerThatHasNoTextIsNamed() throws Exception {
    isTold(
        () -> {
          throw new Wordless();
        });
  }

  @Test
  public void futureThatFailsWithAnExceptionWithoutTextIsAnsweredWithItsName() throws Exception {
    isTold(
        () -> {
          CompletableFuture<Object> later = new CompletableFuture<>();
          new Thread(() -> later.completeExceptionally(new Wordless())).start();
          return later;
        });
  }

  @Test
  public void exceptionWithoutTextThatMarshallingAnAnswerThrowsIsNamed() throws Exception {
    isTold(Unwritable::new);
  }
}
