package io.karmi.tcp;

import io.karmi.contract.AllocationContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;

public class TcpAllocationTest extends AllocationContract {
  @Override
  protected Technology open(UpCall upCall) {
    return Wire.open(upCall);
  }
}
