package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

/** Handlers that take much of the heap. */
public class HandlersThatMakeMuchTest {
  /** More of them than run at once on any machine of few processors. */
  private static final int DEPTH = 24;

  /** The same of those that work until they are told to end. */
  private static final int WORKERS = 24;

  /** Garbage: more than handlers may make before others wait. */
  private static void makeMuch() {
    int piece = 1 << 20;
    for (long left = Runtime.getRuntime().maxMemory() / 16; left > 0; left -= piece) {
      byte[] made = new byte[piece];
      assertThat(made).isNotNull();
    }
  }

  @Test
  public void nodesWhoseHandlersAskEachOtherGoOn() throws Exception {
    MemoryNetwork network = new MemoryNetwork();
    try (Messaging one = network.newNode();
        Messaging other = network.newNode()) {
      one.answer(Integer.class, (depth, from) -> ask(one, other.address(), depth));
      other.answer(Integer.class, (depth, from) -> ask(other, one.address(), depth));
      assertThat(ask(one, other.address(), DEPTH)).isEqualTo(DEPTH);
    }
  }

  @Test
  public void thoseThatWorkForLongKeepNoOneOut() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    MemoryNetwork network = new MemoryNetwork();
    try (Messaging one = network.newNode();
        Messaging other = network.newNode()) {
      other.answer(Integer.class, (number, from) -> number + 1);
      other.answer(
          String.class,
          (name, from) -> {
            while (!over.get()) {
              makeMuch();
            }
            return name;
          });
      List<CompletableFuture<String>> working = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        working.add(one.request("worker", other.address()));
      }
      assertThat(one.<Integer>request(1, other.address()).get(60, TimeUnit.SECONDS)).isEqualTo(2);
      assertThat(working).noneMatch(CompletableFuture::isDone);
      over.set(true);
      for (CompletableFuture<String> each : working) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo("worker");
      }
    } finally {
      over.set(true);
    }
  }

  private static int ask(Messaging here, Address there, int depth) throws Exception {
    if (depth == 0) {
      return 0;
    }
    makeMuch();
    Object answer = here.request(depth - 1, there).get(60, TimeUnit.SECONDS);
    return 1 + (Integer) answer;
  }
}
