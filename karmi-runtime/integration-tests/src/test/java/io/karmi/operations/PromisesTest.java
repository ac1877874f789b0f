package io.karmi.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.util.List;
import org.junit.Test;

/** Methods that return futures which are complete much later. */
public class PromisesTest {
  private static final String MAIN = Promises.class.getName();

  private static List<String> call(String port, String what) throws Exception {
    try (Jvm client = Jvm.start(MAIN, "call", port, what)) {
      return client.everything();
    }
  }

  @Test
  public void aThousandFuturesHoldFewThreadsOfTheCallee() throws Exception {
    try (Jvm server = Jvm.start("-Xmx512m", MAIN, "serve")) {
      assertThat(call(server.awaitLine("port "), "many"))
          .as("served by %s", server.lines())
          .containsExactly("each its own true", "made " + Promises.MANY);
    }
  }

  @Test
  public void outcomesThatComeLateAreWhatTheyWouldHaveBeen() throws Exception {
    try (Jvm server = Jvm.start(MAIN, "serve")) {
      assertThat(call(server.awaitLine("port "), "outcomes"))
          .containsExactly(
              "done false",
              "may end false",
              "number 7",
              "object has made 4",
              "failure ServerException < RemoteException",
              "unsendable UnmarshalException < WriteAbortedException < NotSerializableException",
              "at once 8",
              "ended");
    }
  }

  @Test
  public void callerThatIsGoneMeanwhileLeavesNothingRunning() throws Exception {
    try (Jvm server = Jvm.start(MAIN, "serve")) {
      String port = server.awaitLine("port ");
      assertThat(call(port, "leave")).containsExactly("left");
      assertThat(call(port, "after")).containsExactly("ended");
    }
  }
}
