package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.karmi.id.ObjectId;
import io.karmi.marshal.Arguments;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.Test;

/** Contract on allocation: none in a call without objects, unless its network says how much. */
public abstract class AllocationContract {
  private static final int WARM_UP = 20_000;
  private static final int CALLS = 20_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Of the thread that serves, when it was called first and last in what is measured. */
  private long served;

  private long servedBefore;

  /** Opens one more instance of the technology. */
  protected abstract Technology open(UpCall upCall) throws IOException;

  /**
   * What an end may allocate for a call, in bytes: compiled code and the watchdog do now and then.
   */
  protected long mostBytesPerCall() {
    return 2;
  }

  @Test
  public void callsAllocateNoMoreThanTheyMay() throws Exception {
    int[] count = new int[1];
    Callee node =
        new Callee(
            (call, in, out) -> {
              in.endArguments();
              if (++count[0] == WARM_UP) {
                servedBefore = allocated();
              } else if (count[0] == WARM_UP + CALLS) {
                served = allocated();
              }
              out.beginResult();
            });
    try (Technology server = open(node);
        Technology client = open(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      call(client, target, WARM_UP);
      long before = allocated();
      call(client, target, CALLS);
      long caller = allocated() - before;
      assertThat(caller / CALLS).as("bytes per call, caller").isLessThan(mostBytesPerCall());
      assertThat((served - servedBefore) / CALLS)
          .as("bytes per call, callee")
          .isLessThan(mostBytesPerCall());
    }
  }

  private static void call(Technology client, ObjectId target, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      client.voidApplicationCall(target, Callee.METHODS, 0, Arguments.NONE, null);
    }
  }

  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
