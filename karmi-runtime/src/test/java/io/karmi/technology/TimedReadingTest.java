package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

public class TimedReadingTest {
  private static final CallDeadline DEADLINE = CallDeadline.in(60_000, "karmi.callTimeout");

  private static final class Call implements WatchedCall {
    @Override
    public Map<String, String> header() {
      return Map.of();
    }

    @Override
    public @Nullable CallDeadline deadline() {
      return DEADLINE;
    }

    @Override
    public void suspended() {}

    @Override
    public void ended(@Nullable Throwable problem) {}
  }

  @Test
  public void whatIsAskedWhileAReplyIsReadEndsWithTheDeadlineOfItsCall() throws Exception {
    assertThat(CallDeadline.current()).as("only the call has one").isNull();
    assertThat(TimedReading.read(new Call(), DEADLINE, CallDeadline::current)).isSameAs(DEADLINE);
  }
}
