package examples.spark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * {@code Main JOB [size]}: runs a job and prints its result, which does not depend on how records
 * are serialized, and what it took. The job is one of {@link Job}, or ALL. Spark takes its settings
 * from system properties.
 */
public final class Main {
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Main() {}

  /** The command. */
  public static void main(String[] args) {
    if (args.length == 0) {
      System.err.println("usage: Main JOB|ALL [size]; jobs are " + List.of(Job.values()));
      System.exit(2);
    }
    String name = args[0].toUpperCase(Locale.ROOT);
    List<Job> jobs = new ArrayList<>();
    for (Job job : Job.values()) {
      if (name.equals("ALL") || name.equals(job.name())) {
        jobs.add(job);
      }
    }
    if (jobs.isEmpty()) {
      System.err.println("no job " + name + "; jobs are " + List.of(Job.values()));
      System.exit(2);
    }
    int given = 0;
    try {
      given = args.length > 1 ? Job.size(args[1]) : 0;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    try (JavaSparkContext spark = new JavaSparkContext(new SparkConf())) {
      for (Job job : jobs) {
        int size = given > 0 ? given : job.size();
        long begin = System.nanoTime();
        long processorsBegin = PROCESS.getProcessCpuTime();
        String result = job.run(spark, size);
        long millis = (System.nanoTime() - begin) / 1_000_000;
        long processors = (PROCESS.getProcessCpuTime() - processorsBegin) / 1_000_000;
        System.out.println("result " + job + " " + result);
        System.out.println("took " + job + " " + millis + " ms, processors " + processors + " ms");
      }
    }
  }
}
