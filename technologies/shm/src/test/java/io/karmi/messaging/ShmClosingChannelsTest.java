package io.karmi.messaging;

import io.karmi.shm.ShmProvider;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class ShmClosingChannelsTest extends ClosingChannelsContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return new ShmProvider().open(upCall);
  }
}
