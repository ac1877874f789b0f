package io.karmi.uka.engine.read.cost;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.handle.ReadHandleTable;
import java.io.InvalidObjectException;
import org.junit.Test;

/** How many steps a message may take by what it consists of. */
public class StepBudgetTest {
  private static final int MEGABYTE = 1 << 20;

  /** Twice what any message may take, where each is counted two times. */
  private static final int BLOBS = 600;

  private long passed = 5L * BLOBS * MEGABYTE; // of messages before
  private final StepBudget budget =
      new StepBudget(
          new ReadHandleTable(() -> {}),
          new InputBuffer(new byte[0], 0, 0) {
            @Override
            public long passedBytes() {
              return passed;
            }
          });
  private final ContentCost cost = new ContentCost(budget);

  /** As the blob's method gets it, and as it is in the field then. */
  private void count(byte[] blob) throws Exception {
    cost.add(blob);
    cost.add(blob);
  }

  @Test
  public void longValuesThatEachComeOnceAreReadHoweverManyTheyAre() throws Exception {
    budget.beginBytes();
    byte[] blob = new byte[MEGABYTE];
    for (int i = 0; i < BLOBS; i++) {
      passed += blob.length;
      count(blob);
    }
  }

  @Test
  public void longValuesThatComeOnceAndAreReferredToAgainAreNotPaidForByEarlierMessages() {
    budget.beginBytes();
    byte[] blob = new byte[MEGABYTE];
    passed += blob.length;
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < BLOBS; i++) {
                count(blob);
              }
            })
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("going through long values again and again");
  }
}
