package io.karmi.engines.flink;

import examples.spark.Order;
import io.karmi.engines.Contestant;
import io.karmi.flink.UkaTypeInfo;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.configuration.Configuration;

/**
 * How Flink is told to use a serializer.
 *
 * @param configuration Flink's, for all types
 * @param type of the records
 */
record FlinkSettings(Configuration configuration, TypeInformation<Order> type) {
  private static final String UKA = "io.karmi.flink.UkaKryoSerializer";

  private static final String SLIM = "io.karmi.flink.UkaSlimKryoSerializer";

  private static final String JAVA =
      "org.apache.flink.api.java.typeutils.runtime.kryo.JavaSerializer";

  private static final String REGISTERED =
      "[examples.spark.Order: {type: kryo}, examples.spark.Order$State: {type: kryo},"
          + " java.util.ArrayList: {type: kryo}]";

  static FlinkSettings of(Contestant contestant) {
    GenericTypeInfo<Order> generic = new GenericTypeInfo<>(Order.class);
    return switch (contestant) {
      case JAVA, AGENT -> new FlinkSettings(configuration(below(JAVA)), generic);
      case KRYO -> new FlinkSettings(configuration(""), generic);
      case KRYO_REGISTERED -> new FlinkSettings(configuration(REGISTERED), generic);
      case UKA, UKA_EXCHANGE -> new FlinkSettings(configuration(below(UKA)), generic);
      case UKA_SLIM -> new FlinkSettings(configuration(below(SLIM)), generic);
      /* The classes are described once, in the snapshot of the state. */
      case UKA_CLASSES -> new FlinkSettings(configuration(""), new UkaTypeInfo<>(Order.class));
    };
  }

  /** One line puts a serializer below Flink's for all serializable classes. */
  private static String below(String serializer) {
    return "[java.io.Serializable: {type: kryo, kryo-type: default, class: " + serializer + "}]";
  }

  private static Configuration configuration(String serializers) {
    Configuration configuration = new Configuration();
    if (!serializers.isEmpty()) {
      configuration.setString("pipeline.serialization-config", serializers);
    }
    configuration.setString("rest.bind-address", "127.0.0.1");
    configuration.setString("rest.address", "127.0.0.1");
    configuration.setString("rest.bind-port", "0");
    /* All are threads of this JVM: one that does not answer has no processor, and is not lost. */
    configuration.setString("heartbeat.timeout", "10 min");
    configuration.setString("pekko.ask.timeout", "5 min");
    return configuration;
  }

  /** What serializers are made with. */
  ExecutionConfig execution() {
    ExecutionConfig execution = new ExecutionConfig();
    execution.configure(configuration, FlinkSettings.class.getClassLoader());
    return execution;
  }
}
