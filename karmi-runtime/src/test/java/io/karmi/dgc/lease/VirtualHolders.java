package io.karmi.dgc.lease;

import io.karmi.dgc.DroppedTokens;
import io.karmi.dgc.Messenger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Two virtual threads get the first references to an object; the owner's answer comes by a third.
 */
public final class VirtualHolders {
  private VirtualHolders() {}

  private static final class SlowWay implements Messenger {
    final CountDownLatch sent = new CountDownLatch(1);
    final CountDownLatch answered = new CountDownLatch(1);

    @Override
    public long send(ObjectId anyObject, long[] message, long mostMillis) {
      sent.countDown();
      try {
        answered.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return LeaseFixture.LONG_LEASE;
    }

    @Override
    public Closeable openLine(ObjectId anyObject, long[] message, long mostMillis) {
      throw new UnsupportedOperationException();
    }
  }

  private static Thread start(Runnable runnable) throws Exception {
    return (Thread)
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, runnable);
  }

  /** Prints a line when both have their references. */
  public static void main(String[] arguments) throws Exception {
    SlowWay way = new SlowWay();
    LeasingOwner owner =
        new LeasingOwner(way, new DroppedTokens(), LeaseFixture.LONG_LEASE, new AtomicLong());
    ObjectId object = new ObjectId(NodeId.random(), 77L, new TechnologyId("memory", "owner"));
    Runnable arrival = () -> owner.arrived(List.of(object));
    Thread teller = start(arrival);
    way.sent.await();
    Thread waiter = start(arrival);
    Deadline.await("waiting for the answer", () -> isWaiting(waiter));
    start(way.answered::countDown);
    teller.join();
    waiter.join();
    System.out.println("both arrived");
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }
}
