package examples.flink;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * {@code Main CONFIGURATION QUERY [orders]}: runs a query with the settings of the {@code
 * config.yaml} in a directory, and prints its result and what it took.
 */
public final class Main {
  private static final int ORDERS = 50_000;

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Main() {}

  /** The command. */
  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println("usage: Main CONFIGURATION Q1|Q3 [orders]");
      System.exit(2);
    }
    Configuration settings =
        GlobalConfiguration.loadConfiguration(Path.of(args[0]).toAbsolutePath().toString());
    Query query = Query.valueOf(args[1]);
    int orders = args.length > 2 ? Integer.parseInt(args[2]) : ORDERS;
    long begin = System.nanoTime();
    long processorsBegin = PROCESS.getProcessCpuTime();
    StreamExecutionEnvironment flink =
        StreamExecutionEnvironment.createLocalEnvironment(2, settings);
    query.run(flink, orders).forEach(line -> System.out.println("result " + query + " " + line));
    long millis = (System.nanoTime() - begin) / 1_000_000;
    long processors = (PROCESS.getProcessCpuTime() - processorsBegin) / 1_000_000;
    System.out.println("took " + query + " " + millis + " ms, processors " + processors + " ms");
  }
}
