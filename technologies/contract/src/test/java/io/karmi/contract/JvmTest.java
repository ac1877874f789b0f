package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import org.junit.Test;

public class JvmTest {
  /** Prints without end. */
  public static final class Talker {
    private Talker() {}

    /** Begins at once. */
    public static void main(String[] arguments) {
      while (true) {
        System.out.println("a line");
      }
    }
  }

  /** Else it would take lines of the next JVM, whose output has the same descriptor. */
  @Test
  public void noThreadReadsTheOutputOfAJvmThatIsClosed() throws Exception {
    for (int i = 0; i < 3; i++) {
      Jvm jvm = Jvm.start(Talker.class.getName());
      jvm.awaitLine("a line");
      jvm.close();
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getName().equals("output of " + Talker.class.getName()));
    }
  }
}
