package io.karmi.engines;

import examples.spark.Order;
import io.karmi.benchmarks.payloads.MediaContent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import scala.Tuple2;

/** Records as programs have them, no two of which share an object. */
final class Records {
  private Records() {}

  /** Copies of the media object of the jvm-serializers benchmark. */
  static Iterator<MediaContent> media(int count) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(MediaContent.javaone());
    }
    List<MediaContent> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        all.add((MediaContent) in.readObject());
      }
    }
    return all.iterator();
  }

  /** Orders under their customers, as a case class would be: numbers, strings, a list. */
  static Iterator<Tuple2<String, Order>> orders(int part, int count) {
    Random random = new Random(part);
    List<Tuple2<String, Order>> all = new ArrayList<>(count);
    Order.State[] states = Order.State.values();
    for (int i = 0; i < count; i++) {
      String customer = "customer " + random.nextInt(1 + count / 10);
      List<String> items = new ArrayList<>();
      items.add("item " + random.nextInt(97));
      items.add("item " + random.nextInt(89));
      double amount = random.nextInt(100_000) / 100.0;
      Order.State state = states[random.nextInt(states.length)];
      long number = (long) part * count + i;
      all.add(new Tuple2<>(customer, new Order(number, customer, amount, state, items)));
    }
    return all.iterator();
  }
}
