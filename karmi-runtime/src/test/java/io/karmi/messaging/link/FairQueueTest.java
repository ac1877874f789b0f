package io.karmi.messaging.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Which of those that wait gets the next thread. */
public class FairQueueTest {
  private static final int THREADS = 16;

  private final Map<Object, Integer> busy = new HashMap<>();

  /** Of names such as "a1", which waits for host "a"; "-" is of no host. */
  private final FairQueue<String> queue =
      new FairQueue<>(
          THREADS,
          name -> name.startsWith("-") ? null : name.substring(0, 1),
          host -> busy.getOrDefault(host, 0));

  private void add(String... names) {
    for (String each : names) {
      queue.add(each, 0);
    }
  }

  @Test
  public void hostsTakeTurnsAndEachOnesOldestIsNext() {
    add("a1", "a2", "a3", "b1", "b2", "-1");
    for (String next : new String[] {"a1", "b1", "-1", "a2", "b2", "a3"}) {
      assertThat(queue.peek(0)).isEqualTo(next);
      assertThat(queue.poll(0)).isEqualTo(next);
    }
    assertThat(queue.poll(0)).isNull();
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  public void whileFewerThanHalfAreBusyNoHostIsPassedOver() {
    busy.put("a", THREADS);
    add("a1", "b1");
    assertThat(queue.poll(THREADS / 2 - 1)).isEqualTo("a1");
  }

  @Test
  public void hostWithSevenEighthsOfTheThreadsIsPassedOver() {
    busy.put("a", THREADS - THREADS / 8);
    add("a1", "a2", "b1", "a3");
    assertThat(queue.peek(THREADS - 2)).isEqualTo("b1");
    assertThat(queue.poll(THREADS - 2)).isEqualTo("b1");
    assertThat(queue.poll(THREADS - 2)).as("all others are of that host").isNull();
    assertThat(queue.size()).isEqualTo(3);
    busy.put("a", THREADS - THREADS / 8 - 1);
    assertThat(queue.poll(THREADS - 2)).isEqualTo("a1");
  }

  @Test
  public void whatIsOfNoHostIsNotPassedOver() {
    busy.put("a", THREADS);
    add("a1", "-1");
    assertThat(queue.poll(THREADS)).isEqualTo("-1");
  }

  @Test
  public void timeOfWaitingBeginsWithTheFirstOne() {
    queue.add("a1", 7);
    queue.add("a2", 9);
    assertThat(queue.sinceNanos()).isEqualTo(7);
    queue.clear();
    queue.add("a3", 11);
    assertThat(queue.sinceNanos()).isEqualTo(11);
  }
}
