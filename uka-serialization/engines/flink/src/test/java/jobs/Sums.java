package jobs;

import io.karmi.flink.UkaTypeInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A job that adds up numbers by key. Every sum on the way is a line of its results, so that a
 * number which is lost, or counted twice, shows in them.
 */
public final class Sums {
  private static final int KEYS = 7;
  private static final int PARALLELISM = 2;
  private static final long MILLIS_A_NUMBER = 5;

  private Sums() {}

  /**
   * Adds the job to an environment.
   *
   * @param gate a file; until it exists, the numbers come slowly
   * @param results a directory for the committed lines
   */
  public static void define(
      StreamExecutionEnvironment flink, int numbers, Path gate, Path results) {
    TypeInformation<Sum> generic = new GenericTypeInfo<>(Sum.class);
    flink.setParallelism(PARALLELISM);
    flink
        .fromSequence(1, numbers)
        .setParallelism(1) // so that the numbers of a key come in order
        .uid("numbers")
        .map(new Gate(gate))
        .setParallelism(1)
        .uid("gate")
        .keyBy(Sums::key, Types.INT)
        .map(new Adding(generic, new UkaTypeInfo<>(Sum.class)))
        .returns(generic)
        .uid("sums")
        .rebalance()
        .sinkTo(new CommittedLines(results))
        .uid("lines");
  }

  static int key(long number) {
    return (int) (number % KEYS);
  }

  /** Lets numbers pass, slowly at first. */
  private static final class Gate extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1;
    private final String file;
    private transient boolean open;

    Gate(Path file) {
      this.file = file.toString();
    }

    @Override
    public Long map(Long number) throws InterruptedException {
      if (!open) {
        open = Files.exists(Path.of(file));
        Thread.sleep(MILLIS_A_NUMBER);
      }
      return number;
    }
  }

  /** Keeps the sum of each key twice: as state of a generic type, and as typed state. */
  private static final class Adding extends RichMapFunction<Long, Sum> {
    private static final long serialVersionUID = 1;
    private final TypeInformation<Sum> generic;
    private final TypeInformation<Sum> typed;
    private transient ValueState<Sum> genericSums;
    private transient ValueState<Sum> typedSums;

    Adding(TypeInformation<Sum> generic, TypeInformation<Sum> typed) {
      this.generic = generic;
      this.typed = typed;
    }

    @Override
    public void open(OpenContext context) {
      genericSums = getRuntimeContext().getState(new ValueStateDescriptor<>("generic", generic));
      typedSums = getRuntimeContext().getState(new ValueStateDescriptor<>("typed", typed));
    }

    @Override
    public Sum map(Long number) throws Exception {
      Sum sum = add(genericSums, number);
      Sum same = add(typedSums, number);
      if (!sum.toString().equals(same.toString())) {
        throw new IllegalStateException("generic: " + sum + ", typed: " + same);
      }
      return sum;
    }

    private static Sum add(ValueState<Sum> sums, long number) throws Exception {
      Sum before = sums.value();
      Sum after = (before == null ? Sum.of(key(number)) : before).plus(number);
      sums.update(after);
      return after;
    }
  }
}
