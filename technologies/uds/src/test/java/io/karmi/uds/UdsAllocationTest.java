package io.karmi.uds;

import io.karmi.contract.AllocationContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class UdsAllocationTest extends AllocationContract {
  @Override
  protected Technology open(UpCall upCall) {
    return Local.open(upCall);
  }
}
