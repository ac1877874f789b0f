import io.karmi.exchange.ExchangeSpace;
import io.karmi.exchange.Group;
import io.karmi.exchange.server.ExchangeServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import scala.Tuple2;

/** Broadcasts a large table as a group: Spark carries its address, and each host fetches it once. */
public final class SharedTable {
  public static void main(String[] arguments) throws Exception {
    int port = freePort();
    ExchangeServer.start(port);
    String url = "//127.0.0.1:" + port + "/exchange";
    HashMap<Integer, String> names = new HashMap<>();
    IntStream.range(0, 200_000).forEach(i -> names.put(i, "name " + i));
    ExchangeSpace space = ExchangeSpace.join(url);
    try (Group<HashMap<Integer, String>> group = space.put(names);
        JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      Broadcast<Group<HashMap<Integer, String>>> shared = spark.broadcast(group);
      Map<Long, Tuple2<Long, Long>> executors =
          spark
              .parallelize(IntStream.range(0, 16).boxed().collect(Collectors.toList()), 16)
              .mapToPair(
                  part -> {
                    ExchangeSpace.join(url); // once in each JVM
                    Map<Integer, String> table = shared.value().object();
                    long letters = 0;
                    for (int i = part; i < table.size(); i += 16) {
                      letters += table.get(i).length();
                    }
                    return new Tuple2<>(
                        ProcessHandle.current().pid(), new Tuple2<>(fetches(), letters));
                  })
              .reduceByKey(
                  (a, b) -> new Tuple2<>(Math.max(a._1(), b._1()), a._2() + b._2()))
              .collectAsMap();
      long letters = names.values().stream().mapToLong(String::length).sum();
      System.out.println("executors " + executors.size());
      System.out.println("fetches " + executors.values().stream().mapToLong(Tuple2::_1).sum());
      System.out.println(
          "right " + (letters == executors.values().stream().mapToLong(Tuple2::_2).sum()));
    }
    space.close();
    System.exit(0);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  /** How many groups this JVM has fetched from another host. */
  private static long fetches() throws Exception {
    var beans = ManagementFactory.getPlatformMBeanServer();
    var spaces = beans.queryNames(new ObjectName("io.karmi:type=ExchangeSpace,*"), null);
    var counters =
        (javax.management.openmbean.TabularData)
            beans.getAttribute(spaces.iterator().next(), "Counters");
    return (Long) counters.get(new Object[] {"groupsFetched"}).get("value");
  }
}
