package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Streams of several threads: none disturbs another, also when all meet a class for the first time.
 */
@RunWith(SameProgram.class)
public class ThreadsTest {

  static class Node implements Serializable {
    int number;
    String text;
    Object[] more;

    Node(int number) {
      this.number = number;
      text = "node " + number;
      more = new Object[] {this, text, number, new Hooked(number)};
    }
  }

  static class Hooked implements Serializable {
    transient int number;

    Hooked(int number) {
      this.number = number;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(number);
      out.writeObject(List.of(number));
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      number = in.readInt();
      if (!in.readObject().equals(List.of(number))) {
        throw new IOException("another's data");
      }
    }
  }

  record Rec(int number, Map<String, Integer> map) implements Serializable {}

  @Test
  public void streamsOfManyThreadsAreIndependent() throws Exception {
    int threads = 4;
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Integer>> results = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int first = i * 1000;
      Callable<Integer> work =
          () -> {
            start.await(30, TimeUnit.SECONDS);
            int good = 0;
            for (int j = first; j < first + 100; j++) {
              good +=
                  isRight(
                          Wire.copyQuietly(
                              new Object[] {
                                new Node(j), new Rec(j, new TreeMap<>(Map.of("n", j)))
                              }),
                          j)
                      ? 1
                      : 0;
            }
            return good;
          };
      results.add(pool.submit(work));
    }
    for (Future<Integer> result : results) {
      see("good copies", result.get(60, TimeUnit.SECONDS));
    }
    pool.shutdown();
  }

  private static boolean isRight(Object copy, int number) {
    Object[] both = (Object[]) copy;
    Node node = (Node) both[0];
    Rec rec = (Rec) both[1];
    return node.number == number
        && node.text.equals("node " + number)
        && node.more[0] == node
        && node.more[1] == node.text
        && ((Hooked) node.more[3]).number == number
        && rec.number() == number
        && rec.map().get("n") == number;
  }
}
