package io.karmi.shm;

import io.karmi.contract.AllocationContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;

public class ShmAllocationTest extends AllocationContract {
  @Override
  protected Technology open(UpCall upCall) throws IOException {
    return Shared.open(upCall);
  }
}
