package examples.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Sorts orders by their customers. */
final class Sort {
  private static final int PARTITIONS = 4;

  private Sort() {}

  static String run(JavaSparkContext spark, int size) {
    JavaPairRDD<String, Order> sorted =
        spark
            .parallelize(List.of(0, 1, 2, 3), PARTITIONS)
            .flatMapToPair(part -> orders(part, size / PARTITIONS))
            .sortByKey();
    long sum = sorted.values().map(Order::checksum).reduce(Long::sum);
    long wrong =
        sorted.mapPartitions(part -> List.of(wrongNeighbours(part)).iterator()).reduce(Long::sum);
    return sorted.count() + " orders, checksum " + sum + ", " + wrong + " out of order";
  }

  static Iterator<Tuple2<String, Order>> orders(int part, int count) {
    Random random = new Random(part);
    List<Tuple2<String, Order>> orders = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String customer = "customer " + random.nextInt(1 + count / 10);
      Order.State state = Order.State.values()[random.nextInt(Order.State.values().length)];
      List<String> items = new ArrayList<>(List.of("item " + i % 97, "item " + i % 89));
      double amount = random.nextInt(100_000) / 100.0;
      long number = (long) part * count + i;
      orders.add(new Tuple2<>(customer, new Order(number, customer, amount, state, items)));
    }
    return orders.iterator();
  }

  private static long wrongNeighbours(Iterator<Tuple2<String, Order>> part) {
    long wrong = 0;
    String before = "";
    while (part.hasNext()) {
      Tuple2<String, Order> next = part.next();
      if (before.compareTo(next._1()) > 0 || !next._2().customer().equals(next._1())) {
        wrong++;
      }
      before = next._1();
    }
    return wrong;
  }
}
