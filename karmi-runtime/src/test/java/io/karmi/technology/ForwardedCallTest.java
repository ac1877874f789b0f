package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import java.rmi.ConnectException;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** How many bridges a call has passed, as the header of the call says it. */
public class ForwardedCallTest {
  private final ObjectId callee = new ObjectId(NodeId.random(), 1L << 40);

  private static Map<String, String> header(String hops) {
    return Map.of(ForwardedCall.HEADER, hops);
  }

  private static Map<String, String> leaving(ForwardedCall forwarded, ObjectId target) {
    Map<String, String> header = new HashMap<>();
    ForwardedCall outer = ForwardedCall.enter(forwarded);
    try {
      ForwardedCall.count(target, header);
    } finally {
      ForwardedCall.leave(outer);
    }
    return header;
  }

  @Test
  public void eachBridgeCountsOneMore() throws Exception {
    assertThat(leaving(ForwardedCall.of(Map.of(), callee), callee)).isEqualTo(header("1"));
    assertThat(leaving(ForwardedCall.of(header("6"), callee), callee)).isEqualTo(header("7"));
  }

  @Test
  public void otherCallsOfTheThreadAreNotCounted() throws Exception {
    ObjectId other = new ObjectId(callee.node(), 1L << 41);
    assertThat(leaving(ForwardedCall.of(Map.of(), callee), other)).isEmpty();
    Map<String, String> header = new HashMap<>();
    ForwardedCall.count(callee, header);
    assertThat(header).as("nothing is forwarded").isEmpty();
    assertThat(ForwardedCall.current()).isNull();
  }

  @Test
  public void callWithinAnotherOneIsCountedByItself() throws Exception {
    ForwardedCall outer = ForwardedCall.of(header("6"), callee);
    ForwardedCall before = ForwardedCall.enter(outer);
    try {
      assertThat(leaving(ForwardedCall.of(Map.of(), callee), callee)).isEqualTo(header("1"));
      assertThat(ForwardedCall.current()).isSameAs(outer);
    } finally {
      ForwardedCall.leave(before);
    }
  }

  @Test
  public void countThatIsTooHighOrNoneIsRefused() {
    for (String hops :
        new String[] {"8", "9", "2147483647", "2147483648", "-1", "-2147483648", "", "x", "1.0"}) {
      assertThatThrownBy(() -> ForwardedCall.of(header(hops), callee))
          .as(hops)
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("has not been executed");
    }
  }
}
