package io.karmi.messaging;

import io.karmi.tcp.TcpProvider;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class TcpClosingChannelsTest extends ClosingChannelsContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return new TcpProvider().open(upCall);
  }
}
