package io.karmi.engines;

import java.util.ArrayList;
import java.util.List;

/** A data engine: its workloads, and the program that does them. */
enum Engine {
  /** Parts of jobs, and whole ones. */
  SPARK("io.karmi.engines.Worker", "java.class.path", Names.SPARK),
  /** The state and the network of Flink, whose jars cannot be on one class path with Spark's. */
  FLINK(
      "io.karmi.engines.flink.FlinkWorker",
      "engines.flink.classpath",
      List.of("flink-state", "flink-network"));

  /** Names that the constants need before they are made; no class of Spark is loaded for them. */
  private static final class Names {
    static final List<String> SPARK =
        List.of(
            "media",
            "orders",
            "shuffle8",
            "shuffle32",
            "sort32",
            "broadcast",
            "scala",
            "WORDCOUNT",
            "PAGERANK",
            "KMEANS",
            "CLOSURE",
            "SORT");
  }

  /** The class with the program of a worker. */
  final String worker;

  /** The names of its workloads. */
  final List<String> workloads;

  private final String classPathProperty;

  Engine(String worker, String classPathProperty, List<String> workloads) {
    this.worker = worker;
    this.classPathProperty = classPathProperty;
    this.workloads = workloads;
  }

  /** The class path of a worker: that of this JVM, unless told otherwise. */
  String classPath() {
    return System.getProperty(classPathProperty, System.getProperty("java.class.path", ""));
  }

  /** The workloads of all engines. */
  static List<String> allWorkloads() {
    List<String> all = new ArrayList<>();
    for (Engine each : values()) {
      all.addAll(each.workloads);
    }
    return all;
  }
}
