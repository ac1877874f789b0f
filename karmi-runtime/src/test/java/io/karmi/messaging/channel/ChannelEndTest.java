package io.karmi.messaging.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.Test;

public class ChannelEndTest {
  private static final ChannelLimits LIMITS = new ChannelLimits(0, "none", 0, 0, 1_000);

  private final Way way = new Way();
  private final ChannelEnd end =
      new ChannelEnd(way, LIMITS, () -> null, 1_000_000, IOException::new);

  /** A way that notes which graphs were dealt with whenever a state is to be told. */
  private static class Way implements ChannelWay {
    final List<Long> told = new ArrayList<>();
    final List<Long> askedInOrder = new ArrayList<>();
    @Nullable ChannelEnd end;
    @Nullable Runnable whileSending;

    @Override
    public int sendGraph(long number, boolean awaited, @Nullable Object graph) {
      if (whileSending != null) {
        whileSending.run();
      }
      return 1;
    }

    @Override
    public void askSoon() {}

    @Override
    public void askInOrderSoon() {
      askedInOrder.add(end.sent());
    }

    @Override
    public void tellSoon() {
      told.add(end.state().done());
    }

    @Override
    public void sendEnd() {}

    @Override
    public void close() {}

    @Override
    public String peer() {
      return "peer";
    }
  }

  private void arrive(long number) throws IOException {
    end.arrived(number, 0, false, new ArrivedGraph("graph", 10, 10));
  }

  private static GraphFailure failure(String why) {
    return GraphFailure.of(new IOException(why), 0);
  }

  @Test
  public void questionThatOvertakesItsGraphIsAnsweredWhenTheGraphHasCome() throws Exception {
    way.end = end;
    arrive(1);
    end.asked(3, false, 0);
    arrive(2);
    arrive(3);
    arrive(4);

    assertThat(way.told).containsExactly(1L, 3L);
  }

  @Test
  public void questionForGraphsThatHaveComeIsAnsweredOnce() throws Exception {
    way.end = end;
    arrive(1);
    arrive(2);
    end.asked(2, false, 0);
    arrive(3);

    assertThat(way.told).containsExactly(2L);
  }

  @Test
  public void questionInOrderSaysWhichGraphsWereDropped() throws Exception {
    way.end = end;
    end.asked(2, true, 0);

    assertThat(end.state().done()).isEqualTo(2);
    assertThat(end.state().failed()).hasSize(1);
  }

  @Test
  public void graphBehindTheEndHarmsNothing() throws Exception {
    way.end = end;
    arrive(1);
    end.ended(1);
    arrive(2);
    end.failed(3, 0, false, failure("unreadable"));

    assertThat(end.state().done()).isEqualTo(1);
    assertThat(end.state().failed()).isEmpty();
    assertThat(end.read()).isEqualTo("graph");
    assertThatThrownBy(end::read).isInstanceOf(EOFException.class);
  }

  @Test
  public void questionThatDoesNotKnowOfAGraphLeavesOpenWhetherThatWasDropped() throws Exception {
    way.end = end;
    arrive(1);
    end.dropped(failure("the reason"));
    end.asked(1, true, 0);
    assertThat(end.state().dropped()).isTrue();

    end.asked(2, true, 0);
    assertThat(end.state().done()).isEqualTo(2);
    assertThat(end.state().failed().get(0).reason()).contains("the reason");
    arrive(3);
    assertThat(end.state().dropped()).isFalse();
  }

  @Test
  public void whoIsToldOfALossWhileAGraphIsBeingSentAsksWhenThatWasSent() throws Exception {
    way.end = end;
    end.begin(1_000_000);
    ChannelState loss = new ChannelState(0, 0, true, false, List.of());
    way.whileSending = () -> tell(loss);
    end.send("first");
    assertThat(way.askedInOrder).containsExactly(1L);

    end.told(loss);
    assertThat(way.askedInOrder).as("the answer is on its way").containsExactly(1L);
  }

  private void tell(ChannelState state) {
    try {
      end.told(state);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void graphThatIsBeingSentIsNotSaidToBeSent() throws Exception {
    way.end = end;
    end.begin(1_000_000);
    end.send("first");
    List<Long> sent = new ArrayList<>();
    way.whileSending = () -> sent.add(end.sent());
    end.send("second");

    assertThat(sent).containsExactly(1L);
    assertThat(end.sent()).isEqualTo(2);
  }
}
