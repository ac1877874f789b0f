package examples.flink;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** Queries in the manner of TPC-H, on streams of generic types. */
public enum Query {
  /** Q1: sums over lines by flag and status. */
  Q1 {
    @Override
    public List<String> run(StreamExecutionEnvironment flink, int orders) throws Exception {
      DataStream<Totals> totals =
          lines(flink, orders)
              .filter(line -> line.shipped.isBefore(LAST_SHIPPED))
              .map(Totals::of)
              .returns(TypeInformation.of(Totals.class))
              .keyBy(Totals::group, Types.STRING)
              .reduce(Totals::plus);
      return sorted(collect(totals, "q1"), Comparator.comparing(Totals::group));
    }
  },
  /** Q3: orders of one segment that have brought most. */
  Q3 {
    @Override
    public List<String> run(StreamExecutionEnvironment flink, int orders) throws Exception {
      DataStream<Revenue> ofOrders =
          flink
              .fromSequence(0, orders - 1)
              .map(Revenue::ofOrder)
              .returns(TypeInformation.of(Revenue.class));
      DataStream<Revenue> ofLines =
          lines(flink, orders).map(Revenue::ofLine).returns(TypeInformation.of(Revenue.class));
      DataStream<Revenue> revenues =
          ofOrders
              .union(ofLines)
              .keyBy(Revenue::orderKey, Types.LONG)
              .reduce(Revenue::plus)
              .filter(revenue -> revenue.segment.equals("BUILDING"));
      Comparator<Revenue> most = Comparator.comparing(revenue -> -revenue.cents);
      List<String> all = sorted(collect(revenues, "q3"), most.thenComparing(Revenue::orderKey));
      return all.subList(0, Math.min(10, all.size()));
    }
  };

  private static final int LINES_PER_ORDER = 4;
  private static final LocalDate LAST_SHIPPED = LocalDate.of(1998, 9, 2);

  /** Runs the query and returns its lines. */
  public abstract List<String> run(StreamExecutionEnvironment flink, int orders) throws Exception;

  private static DataStream<LineItem> lines(StreamExecutionEnvironment flink, int orders) {
    flink.setRuntimeMode(RuntimeExecutionMode.BATCH);
    return flink
        .fromSequence(0, (long) orders * LINES_PER_ORDER - 1)
        .map(number -> new LineItem(number, LINES_PER_ORDER))
        .returns(TypeInformation.of(LineItem.class))
        .rebalance();
  }

  private static <T> List<T> collect(DataStream<T> stream, String name) throws Exception {
    List<T> all = new ArrayList<>();
    CloseableIterator<T> results = stream.executeAndCollect(name);
    try {
      results.forEachRemaining(all::add);
    } finally {
      results.close();
    }
    return all;
  }

  private static <T> List<String> sorted(List<T> results, Comparator<T> order) {
    return results.stream().sorted(order).map(Object::toString).toList();
  }
}
