# Thrust, CUB and libcu++ are in the simulator, so these targets have no folders.
foreach(cuda_sim_target CCCL::CCCL CCCL::Thrust CCCL::CUB CCCL::libcudacxx
    Thrust::Thrust CUB::CUB libcudacxx::libcudacxx)
  if(NOT TARGET ${cuda_sim_target})
    add_library(${cuda_sim_target} INTERFACE IMPORTED GLOBAL)
  endif()
endforeach()
unset(cuda_sim_target)

# Its further words choose the systems of the host and of the device.
if(NOT COMMAND thrust_create_target)
  function(thrust_create_target name)
    if(NOT TARGET ${name})
      add_library(${name} INTERFACE IMPORTED GLOBAL)
    endif()
  endfunction()
endif()
