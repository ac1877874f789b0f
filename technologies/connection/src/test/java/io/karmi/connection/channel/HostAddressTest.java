package io.karmi.connection.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.Test;

/** Addresses as they stand in UTIDs. */
public class HostAddressTest {
  @Test
  public void addressesAreReadAsTheyAreWritten() {
    assertThat(HostAddress.split("10.0.0.7:4711,[2001:db8::7]:1"))
        .isEqualTo(List.of("10.0.0.7:4711", "[2001:db8::7]:1"));
    for (String wrong : new String[] {"", ":1", "host", "host:", "host:70000", "host:-1"}) {
      assertThatThrownBy(() -> HostAddress.split(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  public void ownAddressesHaveThePortAndEndWithTheLoopback() {
    List<HostAddress> own = HostAddress.parseList(HostAddress.listLocal(4711));
    assertThat(own).allMatch(address -> address.port() == 4711);
    assertThat(own).endsWith(HostAddress.loopback(4711));
  }
}
