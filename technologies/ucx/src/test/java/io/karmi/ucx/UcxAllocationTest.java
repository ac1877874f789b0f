package io.karmi.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.id.ObjectId;
import io.karmi.marshal.Arguments;
import io.karmi.technology.Technology;
import java.lang.management.ManagementFactory;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * The exception to the contract that a call without objects allocates nothing: the binding of UCX
 * for Java makes some objects for each message, and this is how many bytes at most.
 */
public class UcxAllocationTest {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  private static final int WARM_UP = 20_000;
  private static final int CALLS = 20_000;

  /** For one message that is sent and one that is received. */
  private static final long MOST_BYTES_PER_CALL = 600;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private long served;
  private long servedBefore;

  @Test
  public void callsAllocateNoMoreThanTheMessagesOfTheBinding() throws Exception {
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
    try (Technology server = Open.technology(node);
        Technology client = Open.technology(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      call(client, target, WARM_UP);
      long before = allocated();
      call(client, target, CALLS);
      long caller = allocated() - before;
      assertThat(caller / CALLS).as("bytes per call, caller").isLessThan(MOST_BYTES_PER_CALL);
      assertThat((served - servedBefore) / CALLS)
          .as("bytes per call, callee")
          .isLessThan(MOST_BYTES_PER_CALL);
      System.out.println(
          "UCX: bytes per call: " + caller / CALLS + ", " + (served - servedBefore) / CALLS);
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
