package io.karmi.engines.flink;

import examples.spark.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Records as programs have them, made before anything is measured. */
final class Orders {
  /** For the tasks of this JVM; set once, before the first of them. */
  private static Orders made = new Orders(new Order[0]);

  private final Order[] all;

  private Orders(Order[] all) {
    this.all = all;
  }

  /** Makes the records of this JVM. */
  static Orders make(int count) {
    Random random = new Random(count);
    Order.State[] states = Order.State.values();
    Order[] all = new Order[count];
    for (int i = 0; i < count; i++) {
      String customer = "customer " + random.nextInt(1 + count / 10);
      List<String> items = new ArrayList<>();
      items.add("item " + random.nextInt(97));
      items.add("item " + random.nextInt(89));
      double amount = random.nextInt(100_000) / 100.0;
      all[i] = new Order(i, customer, amount, states[random.nextInt(states.length)], items);
    }
    made = new Orders(all);
    return made;
  }

  /** The records of this JVM. */
  static Orders made() {
    return made;
  }

  int count() {
    return all.length;
  }

  Order get(int index) {
    return all[index];
  }

  /** What a workload has to find, in whatever order it sees the records. */
  String observation() {
    long sum = 0;
    for (Order each : all) {
      sum += each.checksum();
    }
    return observation(all.length, sum);
  }

  static String observation(long count, long sum) {
    return count + " records, " + sum;
  }

  /** Throws unless a workload has found all records. */
  void compare(String kernel, String seen) {
    if (!seen.equals(observation())) {
      throw new IllegalStateException(kernel + ": " + seen + ", not " + observation());
    }
  }
}
