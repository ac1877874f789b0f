package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketTimeoutException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.util.Map;
import org.junit.Test;

public class CallDeadlineTest {
  @Test
  public void threadHasTheSoonerOfTwoThatLieInsideOneAnother() {
    CallDeadline late = CallDeadline.in(100_000, "late");
    CallDeadline soon = CallDeadline.in(50_000, "soon");
    assertThat(CallDeadline.current()).isNull();
    CallDeadline before = CallDeadline.enter(late);
    CallDeadline outer = CallDeadline.enter(soon);
    assertThat(CallDeadline.current()).isSameAs(soon);
    CallDeadline inner = CallDeadline.enter(late);
    assertThat(CallDeadline.current()).isSameAs(soon);
    CallDeadline.leave(inner);
    CallDeadline.leave(outer);
    assertThat(CallDeadline.current()).isSameAs(late);
    CallDeadline.leave(before);
    assertThat(CallDeadline.current()).isNull();
  }

  @Test
  public void whatIsSentAlongIsANumberOrNothing() {
    assertThat(CallDeadline.sent(Map.of(), "the caller's")).isNull();
    for (String forged : new String[] {"", "soon", "-1", "1e9", "99999999999999999999999"}) {
      assertThat(CallDeadline.sent(Map.of(CallDeadline.HEADER, forged), "the caller's")).isNull();
    }
    String most = String.valueOf(Long.MAX_VALUE);
    CallDeadline endless = CallDeadline.sent(Map.of(CallDeadline.HEADER, most), "the caller's");
    assertThat(endless.hasPassed()).isFalse();
    assertThat(CallDeadline.sent(Map.of(CallDeadline.HEADER, "0"), "x").hasPassed()).isTrue();
  }

  @Test
  public void timeoutsAreShortenedToWhatIsLeft() {
    assertThat(CallDeadline.limited(7)).isEqualTo(7);
    CallDeadline before = CallDeadline.enter(CallDeadline.in(50_000, "test"));
    try {
      assertThat(CallDeadline.limited(7)).isEqualTo(7);
      assertThat(CallDeadline.limited(0)).as("for ever").isBetween(1L, 50_000L);
      assertThat(CallDeadline.limited(100_000)).isBetween(1L, 50_000L);
      CallDeadline inner = CallDeadline.enter(CallDeadline.in(0, "test"));
      assertThat(CallDeadline.limited(100_000)).as("not for ever").isEqualTo(1);
      CallDeadline.leave(inner);
    } finally {
      CallDeadline.leave(before);
    }
  }

  @Test
  public void exceptionTellsWhetherTheCallMayHaveBeenExecuted() {
    CallDeadline passed = CallDeadline.in(0, "test");
    UnmarshalException lost = new UnmarshalException("connection lost");
    assertThat(passed.passed("f()V of x", lost))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining("deadline of 0 ms (test) has passed after ")
        .hasMessageContaining("f()V of x")
        .hasMessageContaining("may have been executed")
        .hasCauseInstanceOf(SocketTimeoutException.class)
        .hasRootCause(lost);
    assertThat(passed.passed("f()V of x", null))
        .isInstanceOf(MarshalException.class)
        .hasMessageContaining("has not been executed");
  }
}
